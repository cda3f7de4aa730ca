import { referenceRules } from './references'
import { filesIn, isTest, type Rule, type Tree } from './tree'

const page = 'docs/api.md'

/** The rows of a table of the page, as their cells. */
const rowsOf = (tree: Tree): string[][] =>
  (tree.get(page) ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

/** `main-api` is told as `main API`. */
const wordsFor = (service: string): string => service.replaceAll('-', ' ').replace('api', 'API')

const shapes = { object: '{"error": {', list: '"error": ["', message: '"error": "Bad Request"' }

const shapesTold: Rule = {
  says: 'docs/api.md names each service beside the form of its errors',
  complaints: (tree) =>
    filesIn(tree, /^services\/[^/]+\/src\/(app|pages\/pages\.routes)\.ts$/).flatMap(([path, text]) => {
      const [, service = ''] = path.split('/')
      const [, shape] = /\bshape: '(object|list|message)'/.exec(text) ?? []
      if (shape === undefined) return []
      const row = rowsOf(tree).find((cells) => cells[1]?.includes(shapes[shape as 'object']))
      const named = (row?.[2] ?? '').split(', ')
      return named.includes(wordsFor(service))
        ? []
        : [`${page}: ${wordsFor(service)} answers errors in the form ${shape}`]
    }),
  breaks: [
    { 'services/a/src/app.ts': "service({ shape: 'object' })\n", [page]: '| `{"error": {"code"}}` | b, c |\n' },
    {
      'services/main-api/src/app.ts': "service({ shape: 'list' })\n",
      [page]: '| `{"error": {"code"}}` | main API |\n',
    },
  ],
}

const codesTold: Rule = {
  says: 'docs/api.md has every code of the first form beside its status',
  complaints: (tree) => {
    const ofForm = filesIn(tree, /^services\/[^/]+\/src\/errors\.ts$/).filter(([path]) =>
      ['app.ts', 'pages/pages.routes.ts'].some((name) =>
        /\bshape: 'object'/.test(tree.get(path.replace('errors.ts', name)) ?? ''),
      ),
    )
    const common = filesIn(tree, /^packages\/http\/src\/errors\/errors\.ts$/)
    return [...ofForm, ...common].flatMap(([path, text]) =>
      [...text.matchAll(/^ {2}([A-Z_]+): \[(\d{3}),/gm)].flatMap(([, code = '', status = '']) =>
        rowsOf(tree).some((cells) => cells[1]?.includes(status) && cells[3]?.split(', ').includes(code))
          ? []
          : [`${page}: ${code} of ${path} is not told with ${status}`],
      ),
    )
  },
  breaks: [
    { 'packages/http/src/errors/errors.ts': "  TEAPOT: [418, 'x'],\n", [page]: '| 418 | tea | KETTLE |\n' },
    { 'packages/http/src/errors/errors.ts': "  TEAPOT: [418, 'x'],\n", [page]: '| 400 | tea | TEAPOT |\n' },
    {
      'services/a/src/app.ts': "service({ shape: 'object' })\n",
      'services/a/src/errors.ts': "  TEAPOT: [418, 'x'],\n",
      [page]: '',
    },
  ],
}

const statusesTold: Rule = {
  says: 'docs/api.md has every status that a service answers errors with',
  complaints: (tree) =>
    filesIn(tree, /^services\/[^/]+\/src\/errors\.ts$/).flatMap(([path, text]) =>
      [...new Set([...text.matchAll(/^ {2}[A-Z_]+: \[(\d{3}),/gm)].map(([, status = '']) => status))]
        .filter((status) => !rowsOf(tree).some((cells) => cells[1]?.split(', ').includes(status)))
        .map((status) => `${page}: ${status} of ${path} is not told`),
    ),
  breaks: [{ 'services/a/src/errors.ts': "  TEAPOT: [418, 'x'],\n", [page]: '| 400, 404 | it is wrong | X |\n' }],
}

/** The text of the page for the numbers that a folder's constant has. */
interface Limit {
  folder: string
  /** Each group is a number, or a product of numbers. */
  constant: RegExp
  told: (...values: number[]) => string
}

const grouped = (value = 0): string => value.toLocaleString('en')
const kibibytes = (bytes = 0): string => `${bytes / 1024} KiB`
const mebibytes = (bytes = 0): string => `${bytes / 1024 / 1024} MiB`

const limits: Limit[] = [
  {
    folder: 'packages/http',
    constant: /\bmaxBodyBytes = ([\d_ *]+)/,
    told: (most) => `| a body | ${mebibytes(most)} (`,
  },
  { folder: 'packages/http', constant: /\bmaxDepth = ([\d_]+)/, told: (most) => `${most} levels` },
  { folder: 'packages/http', constant: /\bmaxValues = ([\d_]+)/, told: (most) => `${grouped(most)} values` },
  { folder: 'packages/http', constant: /\bmostFields = ([\d_]+)/, told: (most) => `| ${most} fields,` },
  {
    folder: 'packages/http',
    constant: /\bmostCharacters = ([\d_ *]+)/,
    told: (most) => `fields, ${kibibytes(most)} |`,
  },
  { folder: 'packages/http', constant: /\bfarthest = ([\d_]+)/, told: (most) => `large list | ${grouped(most)}:` },
  {
    folder: 'packages/http',
    constant: /\bkeyPattern = [^\n]*\{(\d+),(\d+)\}/,
    told: (least, most) => `\`X-Idempotency-Key\`; ${least} to ${most} visible`,
  },
  {
    folder: 'packages/http',
    constant: /\brequestIdPattern = [^\n]*\{(\d+),(\d+)\}/,
    told: (least, most) => `it has ${least} to ${most} visible`,
  },
  {
    folder: 'packages/http',
    constant: /\bdayMs = ([\d_ *]+)/,
    told: (ms = 0) => `Keys are kept for ${ms / 3_600_000} hours`,
  },
  {
    folder: 'packages/http',
    constant: /\blifeSeconds = ([\d_]+)/,
    told: (seconds) => `service, for ${seconds} seconds`,
  },
  {
    folder: 'packages/contracts',
    constant: /\btext = \(maxLength = ([\d_]+)\)/,
    told: (most) => `${grouped(most)} characters`,
  },
  {
    folder: 'packages/contracts',
    constant: /\bnonBlank = \(maxLength = ([\d_]+)\)/,
    told: (most) => `names and codes ${most};`,
  },
  {
    folder: 'packages/contracts',
    constant: /\bsmallJsonBytes = ([\d_ *]+)/,
    told: (most) => `\`screeningData\` | ${kibibytes(most)} of JSON`,
  },
  {
    folder: 'packages/contracts',
    constant: /\bmaxMetadataBytes = ([\d_ *]+)/,
    told: (most) => `message's metadata | ${kibibytes(most)} of JSON`,
  },
  { folder: 'packages/money', constant: /\bmaxDigits = ([\d_]+)/, told: (most) => `at most ${most} digits` },
  { folder: 'packages/store', constant: /\bmostCounted = ([\d_]+)/, told: (most) => `count to ${grouped(most)}` },
  {
    folder: 'services/participant',
    constant: /\blimit: queryInteger\(\{ minimum: 0, maximum: (\d+), default: (\d+) \}\)/,
    told: (most, usual) => `an array of at most ${most}, ${usual} unless asked`,
  },
  {
    folder: 'services/main-api',
    constant: /\bmaxDocumentBytes = ([\d_ *]+)/,
    told: (most) => `a document of a participant | ${mebibytes(most)}`,
  },
  {
    folder: 'services/log-tracker',
    constant: /\bmaxPayloadLength: ([\d_ *]+)/,
    told: (most) => `WebSocket client sends | ${kibibytes(most)}`,
  },
  {
    folder: 'services/gateway',
    constant: /\bmostHeaderBytes = ([\d_ *]+)/,
    told: (most) => `headers are longer than ${kibibytes(most)}`,
  },
  {
    folder: 'services/core-ledger',
    constant: /\bpageSize: queryInteger\(\{ minimum: 1, maximum: (\d+), default: (\d+) \}\)/,
    told: (most, usual) => `(${usual} unless asked, at most ${most})`,
  },
  {
    folder: 'services/gateway',
    constant: /'RATE_LIMIT_PER_SECOND', \{ fallback: isProduction \? (\d+) : (\d+),/,
    told: (production, sandbox) => `${production} a second in production, ${sandbox} in a sandbox`,
  },
  {
    folder: 'services/gateway',
    constant: /'RATE_LIMIT_LOGIN', \{ fallback: (\d+),/,
    told: (most) => `set a password | ${most} in five minutes`,
  },
  {
    folder: 'services/gateway',
    constant: /'RATE_LIMIT_FAILURES', \{ fallback: (\d+),/,
    told: (most) => `wrong credentials of an address | ${most} a minute`,
  },
  {
    folder: 'services/gateway',
    constant: /'RATE_LIMIT_STREAMS', \{ fallback: (\d+),/,
    told: (most) => `streams at a time | ${most} |`,
  },
  {
    folder: 'services/gateway',
    constant: /'RATE_LIMIT_LISTS', \{ fallback: (\d+),/,
    told: (most) => `on, at a time | ${most} |`,
  },
  {
    folder: 'services/gateway',
    constant: /\bdeepOffset = ([\d_]+)/,
    told: (offset) => `from offset ${grouped(offset)} on`,
  },
  {
    folder: 'services/gateway',
    constant: /\bfreshMs = ([\d_ *]+)/,
    told: (ms = 0) => `shown in the last ${ms / 60_000} minutes`,
  },
]

const product = (text: string): number =>
  text.split('*').reduce((value, factor) => value * Number(factor.trim().replaceAll('_', '')), 1)

const limitsTold: Rule = {
  says: 'docs/api.md tells the limits that the code has',
  complaints: (tree) =>
    limits.flatMap(({ folder, constant, told }) => {
      const files = [...tree].filter(([path]) => path.startsWith(`${folder}/src/`) && !isTest(path))
      if (files.length === 0) return []
      const groups = files.map(([, text]) => constant.exec(text)).find((found) => found !== null)
      if (!groups) return [`${folder}: ${constant.source} is not found (test/tidy/documents.ts)`]
      const words = told(...groups.slice(1).map(product))
      return tree.get(page)?.includes(words) ? [] : [`${page}: does not tell of "${words}" (${folder})`]
    }),
  breaks: [
    { 'packages/money/src/a.ts': 'export const maxDigits = 38\n', [page]: 'at most 36 digits' },
    { 'packages/store/src/a.ts': 'export const most = 100_000\n', [page]: 'count to 100,000' },
    {
      'services/log-tracker/src/a.ts': '  maxPayloadLength: 2 * 1024,\n',
      [page]: 'a WebSocket client sends | 1 KiB |',
    },
    {
      'services/participant/src/a.ts': 'limit: queryInteger({ minimum: 0, maximum: 100, default: 20 })\n',
      [page]: 'an array of at most 100, 10 unless asked',
    },
  ],
}

export const documentRules = [shapesTold, codesTold, statusesTold, limitsTold, ...referenceRules]
