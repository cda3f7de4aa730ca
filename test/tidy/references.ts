import { posix } from 'node:path'
import { filesIn, type Rule, type Tree } from './tree'

/** What people read, with the commands and files that it names. */
const readings = (tree: Tree) => filesIn(tree, /^(?:[\w-]+\.md|docs\/.*\.md|\.env\.example)$/)

const commandsExist: Rule = {
  says: 'every command and file that the documents name is there',
  complaints: (tree) => {
    const { scripts = {} } = JSON.parse(tree.get('package.json') ?? '{}') as { scripts?: Record<string, string> }
    return readings(tree).flatMap(([path, text]) => [
      ...[...text.matchAll(/\b(?:bun|npm) run ([a-z][\w:-]*)/g)]
        .filter(([, name = '']) => !Object.hasOwn(scripts, name))
        .map(([command]) => `${path}: ${command}: package.json has no such script`),
      ...[...text.matchAll(/(?<![\w/.])(?:scripts|services|packages|test|docs)\/[\w./-]+\.(?:tsx?|md)\b/g)]
        .filter(([file]) => !tree.has(file))
        .map(([file]) => `${path}: there is no ${file}`),
    ])
  },
  breaks: [
    { 'package.json': '{"scripts": {"audit": "x"}}', 'README.md': 'then `bun run audits`\n' },
    { 'package.json': '{}', 'docs/api.md': 'then `npm run constructor`\n' },
    { 'package.json': '{}', 'docs/api.md': 'see `services/quote/src/gone.ts`\n' },
  ],
}

const decisions = 'docs/decisions.md'

/** What comments may name: the first cells of the tables, with what is in brackets behind them, and the headings. */
function decisionsIn(tree: Tree): string[] {
  const lines = (tree.get(decisions) ?? '').split('\n')
  return lines.flatMap((line) => {
    const [, name = ''] = /^\| ([^|]+) \|/.exec(line) ?? /^#+ (.+)$/.exec(line) ?? []
    const [, before = name, also = ''] = /^(.*) \((.+)\)$/.exec(name) ?? []
    return [before, also].filter((each) => each !== '')
  })
}

const decisionsTold: Rule = {
  says: 'a decision that a comment names is one of docs/decisions.md',
  complaints: (tree) => {
    const known = decisionsIn(tree)
    const files = filesIn(tree, /^(packages|services|scripts|test)\/.*\.tsx?$/).filter(
      ([path]) => !path.startsWith('test/tidy/'),
    )
    return files.flatMap(([path, text]) =>
      [...text.replaceAll(/\n\s*(\*|\/\/)\s+/g, ' ').matchAll(/\bdecisions, ([A-Z`"][^).:;\n]*)/g)]
        .map(([, name = '']) => name.trim())
        .filter((name) => !known.some((each) => each.startsWith(name) || name.startsWith(each)))
        .map((name) => `${path}: ${decisions} has no "${name}"`),
    )
  },
  breaks: [
    { 'services/a/src/x.ts': '/** Ends there (decisions, Page\n * size). */\n', [decisions]: '| Prefix | all |\n' },
    { 'packages/a/src/x.ts': '// decisions, Ids\n' },
  ],
}

const linksLead: Rule = {
  says: 'every link between documents and files leads somewhere',
  complaints: (tree) =>
    filesIn(tree, /\.md$/).flatMap(([path, text]) =>
      [...text.matchAll(/\]\(([^):#\s]+\.(?:md|tsx?))(?:#[^)]*)?\)/g)]
        .map(([, link = '']) => posix.join(posix.dirname(path), link))
        .filter((file) => !tree.has(file))
        .map((file) => `${path}: there is no ${file}`),
    ),
  breaks: [
    { 'docs/services/a.md': 'see [rules](../../services/a/src/gone.ts)\n' },
    { 'README.md': 'see [api](docs/gone.md#errors)\n' },
  ],
}

export const referenceRules = [commandsExist, linksLead, decisionsTold]
