import { filesIn, found, isTest, type Rule } from './tree'

const environmentAtHome: Rule = {
  says: 'the environment is read in config.ts alone',
  complaints: (tree) => {
    const allowed = /(^|\/)config\.ts$|^packages\/http\/src\/settings\/|^scripts\/|^packages\/testing\//
    const files = filesIn(tree, /\.tsx?$/).filter(([path]) => !allowed.test(path) && !isTest(path))
    return found(files, /\b(process|Bun|import\.meta)\.env\b/g, 'take it from the config')
  },
  breaks: [
    { 'services/a/src/x.ts': 'const host = process.env.HOST\n' },
    { 'packages/a/src/x.ts': 'const { HOST } = Bun.env\n' },
  ],
}

const maximumLines = 300

const shortFiles: Rule = {
  says: `no file is longer than ${maximumLines} lines`,
  complaints: (tree) =>
    filesIn(tree, /\.(tsx?|mjs)$/).flatMap(([path, text]) => {
      const lines = text.split('\n').length - 1
      return lines > maximumLines ? [`${path}: ${lines} lines`] : []
    }),
  breaks: [
    { 'services/a/src/x.ts': 'export {}\n'.repeat(maximumLines + 1) },
    { 'services/a/console/src/x.tsx': 'export {}\n'.repeat(maximumLines + 1) },
  ],
}

const names: Rule = {
  says: 'a name says what is in it: kebab-case, and no drawer for odds and ends',
  complaints: (tree) =>
    filesIn(tree, /\.(tsx?|mjs)$/).flatMap(([path]) => {
      const parts = path.replace(/\.\w+$/, '').split(/[/.]/)
      const drawer = parts.find((part) => /^(utils?|helpers?|common|managers?)$/.test(part))
      const odd = parts.find((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part))
      if (drawer) return [`${path}: "${drawer}" does not say what is in it`]
      return odd ? [`${path}: "${odd}" is not in kebab-case`] : []
    }),
  breaks: [
    { 'packages/a/src/utils/x.ts': '' },
    { 'services/a/src/x.helpers.ts': '' },
    { 'services/a/src/xY.ts': '' },
    { 'services/a/console/src/x/XY.tsx': '' },
  ],
}

const finished: Rule = {
  says: 'what is left to do stands in an issue, not in the code',
  complaints: (tree) => {
    const files = filesIn(tree, /\.(tsx?|mjs|css|md|toml|sql)$/).filter(([path]) => !path.startsWith('test/tidy/'))
    return found(files, /\b(TODO|FIXME|XXX|HACK)\b/g, 'do it, or open an issue')
  },
  breaks: [{ 'services/a/src/x.ts': '// TODO: more\n' }, { 'README.md': 'FIXME\n' }],
}

const anyMachine: Rule = {
  says: 'nothing names one machine, or a place to get packages from',
  complaints: (tree) => {
    const files = [...tree].filter(([path]) => !path.startsWith('test/tidy/'))
    const places =
      /(?<![.\w])\/(work|home|root|Users)\/\w+|\b(registry\.[\w-]+\.(com|org|dev|io)|[\w.-]*pkg\.dev|[\w.-]*\bdebian\.org)\b/g
    return found(files, places, 'others have another')
  },
  breaks: [
    { 'README.md': 'see /work/shared/x.md\n' },
    { 'bun.lock': '"https://registry.npmjs.org/x/-/x-1.0.0.tgz"\n' },
    { 'scripts/x.ts': "const mirror = 'https://deb.debian.org/debian'\n" },
  ],
}

/** What names the machine's clock: where services start, and what stamps lines and answers for people. */
const machineClocks =
  /^services\/[^/]+\/src\/service\.ts$|^packages\/http\/src\/(life\/start-service|observe\/stamp)\.ts$/
/** Code of others that compares with it, or that runs in a browser; and rows that no decision goes by. */
const clocksApart =
  /^packages\/(console|store|testing)\/|^services\/identity-manager\/src\/single-sign-on\/provider\.ts$/

const clocks: Rule = {
  says: 'services and packages get the time from a clock (deps.now); only where they start the machine’s is named',
  complaints: (tree) => {
    const files = filesIn(tree, /^(services|packages)\/[^/]+\/src\/.*\.ts$/)
    const read = files.filter(([path]) => !isTest(path) && !machineClocks.test(path) && !clocksApart.test(path))
    return found(read, /\bnew Date\(\)|\bDate\.now\b/g, 'take the time, or the clock, as an argument')
  },
  breaks: [
    { 'services/a/src/x/x.ts': 'export async function makeX(tx: Tx, now = new Date()) {}\n' },
    { 'services/a/src/x/x.routes.ts': 'const at = Date.now()\n' },
    { 'services/a/src/x/x.ts': 'export const createX = (now: () => number = Date.now) => now\n' },
    { 'packages/http/src/x/x.ts': 'const at = new Date()\n' },
  ],
}

const idsAtHome: Rule = {
  says: 'records get their ids from newId of the store, which keeps those of one millisecond in order',
  complaints: (tree) => {
    const files = filesIn(tree, /^(services\/[^/]+|packages\/store)\/src\/.*\.ts$/)
    const others = files.filter(([path]) => !isTest(path) && path !== 'packages/store/src/lists/ids.ts')
    return found(others, /(?<!\$\{)\bBun\.randomUUIDv7\b/g, 'write newId(at)')
  },
  breaks: [{ 'services/a/src/x/x.ts': 'const row = { id: Bun.randomUUIDv7() }\n' }],
}

const noSleeps: Rule = {
  says: 'tests wait for a condition, never for a while',
  complaints: (tree) => {
    // Faults are let work for a while on purpose.
    const files = filesIn(tree, /^(?!test\/faults\/).*\.test\.ts$/)
    return found(files, /\bawait Bun\.sleep\(|\bsetTimeout\(resolve\b|\btimers\/promises\b/g, 'wait with until(…)')
  },
  breaks: [{ 'services/a/test/x.test.ts': 'await Bun.sleep(100)\n' }],
}

const enoughTime: Rule = {
  says: 'no test has a limit of its own: scripts/test gives each ten minutes, for a machine may be busy',
  complaints: (tree) =>
    filesIn(tree, /\.test\.tsx?$/).flatMap(([path, text]) =>
      [
        ...text.matchAll(/^ {0,4}\}, ([\d_]+)\)$|^ {2,4}([\d_]+),\n {0,2}\)$|(?<!\.)\bsetDefaultTimeout\(([\d_]+)\)/gm),
      ].flatMap(([, ofTest, ofTable, ofFile]) => {
        const text = ofTest ?? ofTable ?? ofFile ?? ''
        const ms = Number(text.replaceAll('_', ''))
        // Shorter ones say something: what is tested must end sooner than something else would.
        return ms >= 10_000 ? [`${path}: leave out ${text}`] : []
      }),
    ),
  breaks: [
    { 'services/a/test/x.test.ts': "test('x', async () => {\n}, 30_000)\n" },
    { 'services/a/test/x.test.ts': "test.each([1])(\n    'x',\n    async () => {},\n    60_000,\n  )\n" },
    { 'services/a/test/x.test.ts': "test.skipIf(no)(\n  'x',\n  async () => {},\n  60_000,\n)\n" },
    { 'services/a/test/x.test.ts': 'setDefaultTimeout(120_000)\n' },
  ],
}

const enoughPatience: Rule = {
  says: 'what a test waits for may take as long as `until` gives it unless asked: a machine may be busy',
  complaints: (tree) =>
    filesIn(tree, /\.test\.tsx?$/).flatMap(([path, text]) =>
      // One that may be in vain, or is to be, says so.
      [
        ...text.matchAll(/\{(?=[^{}]*\bwhat:)[^{}]*\btimeoutMs: ([\d_]+)[^{}]*\},?\s*\)(?!\.catch|\)\.rejects)/g),
      ].flatMap(([, ms = '']) => (Number(ms.replaceAll('_', '')) < 180_000 ? [`${path}: ${ms} ms are too few`] : [])),
    ),
  breaks: [
    { 'services/a/test/x.test.ts': "await until(done, { timeoutMs: 5000, what: 'x' })\n" },
    { 'services/a/test/x.test.ts': 'await until(\n  done,\n  {\n    what: `x`,\n    timeoutMs: 30_000,\n  },\n)\n' },
  ],
}

const fileUrls: Rule = {
  says: 'the path of a file URL comes from fileURLToPath: .pathname has %20 where a folder has a space',
  complaints: (tree) => {
    const files = filesIn(tree, /\.(tsx?|mjs)$/).filter(([path]) => !path.startsWith('test/tidy/'))
    return found(files, /\bimport\.meta\.(url|resolve)\b[^;\n]*\.pathname\b/g, 'write fileURLToPath(new URL(…))')
  },
  breaks: [{ 'services/a/src/x.ts': "const folder = new URL('../x', import.meta.url).pathname\n" }],
}

/** Words of our own, and the standard term for each. */
const ownWords: [word: RegExp, standard: string][] = [
  [/\bput(?:s|ting)? off\b|\bputOff/g, 'reschedule'],
  [/(?<!\ba )\blots?\b/g, 'batch'],
  [/\bha(?:s|ve|d) (?:\w+ ){1,4}to itself\b/g, 'lease'],
  [/\b(?:held|holds?|holding) (?:[\w’']+ ){0,4}against (?:it|the|its|what|this|each)\b/g, 'compare, check'],
  [/\bput right\b|\bmend(?:s|ed|ing)?\b/g, 'correct, repair'],
  [/\bis no matter\b/g, 'ignore'],
  [/\bhasten(?:s|ed|ing)?\b/g, 'wake'],
  [/\bunless told\b/g, 'by default'],
]

const standardWords: Rule = {
  says: 'packages, services, scripts, tests and documents use the standard terms (docs/glossary.md)',
  complaints: (tree) => {
    const files = filesIn(
      tree,
      /^((packages|services)\/[^/]+\/(src|test)|scripts|docs|test)\/.*\.(ts|md)$|^[\w-]+\.md$/,
    )
    const own = /^docs\/glossary\.md$|^test\/tidy\/|^test\/bench\/history\.md$/
    const read = files.filter(([path]) => !own.test(path))
    return ownWords.flatMap(([word, standard]) => found(read, word, `the standard term is ${standard}`))
  },
  breaks: [
    { 'packages/a/src/x.ts': '/** Puts work off.\n * Work that was put off. */\n' },
    { 'packages/a/src/x.ts': 'const putOffRow = 1\n' },
    { 'services/a/src/x.ts': '// A lot of one commit.\nconst lot = []\n' },
    { 'services/a/test/x.test.ts': "test('an event of another is no matter', () => {})\n" },
    { 'docs/x.md': 'They travel in bounded lots.\n' },
    { 'scripts/x.ts': '// A row that one worker has all to itself.\n' },
    { 'README.md': 'It holds the ledger against the chain.\n' },
    { 'README.md': 'What it finds is mended.\n' },
    { 'docs/x.md': 'An order of another service is no matter.\n' },
    { 'packages/a/src/x.ts': '// It hastens the next attempt.\n' },
    { 'packages/a/src/x.ts': '/** GET unless told. */\n' },
    { 'packages/a/test/x.test.ts': "test('work is put off', () => {})\n" },
    { 'test/e2e/x.ts': '// It hastens the next attempt.\n' },
  ],
}

export const wordRules = [
  environmentAtHome,
  shortFiles,
  names,
  finished,
  anyMachine,
  clocks,
  idsAtHome,
  noSleeps,
  enoughTime,
  enoughPatience,
  fileUrls,
  standardWords,
]
