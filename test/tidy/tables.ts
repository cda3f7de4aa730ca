import { filesIn, isTest, type Rule, type Tree } from './tree'

/**
 * What every plain object has besides its own (`constructor`, `toString`, `__proto__`) is found by whoever names it. A
 * table that any text may be looked up in is a Map, or is asked by Object.hasOwn first. TypeScript sees to all tables
 * whose keys are a closed set: it takes no text for them, unless it is told to by a cast.
 */
const ownNames: Rule = {
  says: 'what comes from outside is looked up in Maps, or with Object.hasOwn',
  complaints: (tree) =>
    sourcesIn(tree).flatMap(([path, text]) =>
      [...openLookUps(text), ...castLookUps(text), ...inheritedTests(text)].map(
        ({ at, what }) => `${path}:${text.slice(0, at).split('\n').length}: ${what}: use a Map, or Object.hasOwn`,
      ),
    ),
  breaks: [
    { 'services/a/src/x.ts': 'const words: Record<string, string> = {}\nconst of = (x: string) => words[x]\n' },
    {
      'services/a/src/x.ts':
        'const words: Readonly<Record<string, string>> = {}\nexport const of = (x: string) => words[x.y]\n',
    },
    { 'services/a/src/x.ts': 'function of(params: Record<string, string>, x: string) {\n  return params[x]\n}\n' },
    {
      'services/a/src/x.ts':
        'interface X {\n  params: Record<string, string>\n}\nconst of = (x: X, y: string) => x.params[y]\n',
    },
    {
      'packages/a/src/x.ts':
        'type Words = Record<string, string>\nconst words: Words = {}\nconst of = (x: string) => words?.[x]\n',
    },
    {
      'packages/a/src/x.ts':
        'const words: Partial<Record<string, string>> = {}\nconst of = (x: string) => words[x] ?? 1\n',
    },
    // Another table was asked.
    {
      'packages/a/src/x.ts':
        'const words: Record<string, string> = {}\nconst of = (x: string) => Object.hasOwn(others, x) && words[x]\n',
    },
    {
      'packages/a/src/x.ts':
        'const words: Record<string, string[]> = {}\nconst add = (x: string) => (words[x] ??= [])\n',
    },
    { 'services/a/src/x.ts': 'const words = { a: 1 }\nconst of = (x: string) => words[x as keyof typeof words]\n' },
    { 'scripts/x.ts': 'const isWord = (x: string) => x in words\n' },
  ],
}

const sourcesIn = (tree: Tree) =>
  filesIn(tree, /^(?:services\/[^/]+\/src|packages\/(?!testing\/)[^/]+\/src|scripts)\/.*\.ts$/).filter(
    ([path]) => !isTest(path),
  )

interface Found {
  at: number
  what: string
}

const record = /(?:Readonly<|Partial<)*Record<string\b/.source

/** Reads of a table with open keys by an expression. Its own keys, gone through, are its own. */
function openLookUps(text: string): Found[] {
  const aliases = [...text.matchAll(new RegExp(`\\btype (\\w+) = ${record}`, 'g'))].map(([, name]) => name)
  const types = [record, ...aliases.map((name) => `${name}\\b(?!\\[)`)].join('|')
  const tables = new Set(
    [...text.matchAll(new RegExp(`\\b(\\w+)\\??: (?:${types})`, 'g'))].map(([, name = '']) => name),
  )
  // Which settings there are the code says.
  tables.delete('env')
  return [...tables].flatMap((table) =>
    [...text.matchAll(new RegExp(`\\b${table}(?:\\?\\.)?\\[([^\\[\\]\\n]+)\\](?! = )`, 'g'))].flatMap((match) => {
      const [what, key = ''] = match
      const before = text.slice(Math.max(0, match.index - 400), match.index)
      return isLiteral(key) || isOwn(before, table, key) ? [] : [{ at: match.index, what }]
    }),
  )
}

const isLiteral = (key: string): boolean => /^(?:'[^']*'|"[^"]*"|\d+|total\w*|\$\{.*)$/.test(key)

/** Whether the code before has asked for the key, or took it from the table itself. */
const isOwn = (before: string, table: string, key: string): boolean =>
  before.includes(`Object.hasOwn(${table}, ${key})`) ||
  before.includes(`(const ${key} in ${table})`) ||
  new RegExp(`Object\\.(?:keys|getOwnPropertyNames)\\(${table}\\)`).test(before)

/** A cast says that a text is one of the keys. */
const castLookUps = (text: string): Found[] =>
  [...text.matchAll(/\b\w+\[[\w.]+ as (?:keyof )?[A-Za-z][^\]\n]*\]/g)].map(({ 0: what, index }) => ({
    at: index,
    what,
  }))

const inheritedTests = (text: string): Found[] =>
  [...text.matchAll(/(?:[(&|!?=]|=>) *([a-z]\w*) in (?!Object\.prototype)([a-z]\w*)\b/g)].map(({ 0: what, index }) => ({
    at: index,
    what: what.replace(/^\W+/, ''),
  }))

export const tableRules = [ownNames]
