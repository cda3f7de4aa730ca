import { filesIn, type Rule, type Tree } from './tree'

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

/** The words of the page for what a file bounds. */
const limits: [path: string, constant: RegExp, told: (value: number) => string][] = [
  ['packages/http/src/edge/body.ts', /\bmaxDepth = ([\d_]+)/, (value) => `${value} levels`],
  ['packages/http/src/edge/body.ts', /\bmaxValues = ([\d_]+)/, (value) => `${value.toLocaleString('en')} values`],
  ['packages/http/src/errors/validation.ts', /\bmostFields = ([\d_]+)/, (value) => `| ${value} fields,`],
  [
    'packages/contracts/src/schema.ts',
    /\btext = \(maxLength = ([\d_]+)\)/,
    (value) => `${value.toLocaleString('en')} characters`,
  ],
]

const limitsTold: Rule = {
  says: 'docs/api.md tells the limits that the code has',
  complaints: (tree) =>
    limits.flatMap(([path, constant, told]) => {
      const text = tree.get(path)
      if (text === undefined) return []
      const value = Number(constant.exec(text)?.[1]?.replaceAll('_', ''))
      return tree.get(page)?.includes(told(value)) ? [] : [`${page}: does not tell of ${told(value)} (${path})`]
    }),
  breaks: [
    {
      'packages/http/src/edge/body.ts': 'const maxDepth = 64\nconst maxValues = 20_000\n',
      [page]: '64 levels, 50,000 values',
    },
    {
      'packages/contracts/src/schema.ts': 'export const text = (maxLength = 9_000) => 1\n',
      [page]: '10,000 characters',
    },
  ],
}

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

export const documentRules = [shapesTold, codesTold, limitsTold, commandsExist]
