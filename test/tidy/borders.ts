import { posix } from 'node:path'
import { filesIn, found, importsOf, isTest, packageOf, type Rule, type Tree } from './tree'

const modules = /\.(tsx?|mjs)$/

/** Complains of every import that `isWrong` finds wrong, in the files that match. */
function wrongImports(
  tree: Tree,
  files: RegExp,
  isWrong: (from: string, typeOnly: boolean, path: string) => string | false,
): string[] {
  return filesIn(tree, files).flatMap(([path, text]) =>
    importsOf(text).flatMap(({ from, typeOnly }) => {
      const reason = isWrong(from, typeOnly, path)
      return reason ? [`${path}: imports ${from}: ${reason}`] : []
    }),
  )
}

const leavesItsPackage = (path: string, from: string) =>
  from.startsWith('.') && packageOf(posix.join(posix.dirname(path), from)) !== packageOf(path)

const isDrizzle = (from: string) => from === 'drizzle-orm' || from.startsWith('drizzle-orm/')

const ownPackages: Rule = {
  says: 'packages and services reach each other by package name, and nothing imports a service but scripts and tests',
  complaints: (tree) => {
    const names = filesIn(tree, /^services\/[^/]+\/package\.json$/).map(([, text]) => JSON.parse(text).name as string)
    return wrongImports(tree, /^(packages|services)\/.*\.tsx?$/, (from, _, path) => {
      if (leavesItsPackage(path, from)) return 'it leaves its package; import the other one by its name'
      const service = names.find((name) => from === name || from.startsWith(`${name}/`))
      return service !== undefined && 'services know each other by contracts alone'
    })
  },
  breaks: [
    { 'services/a/src/x.ts': "import { y } from '../../b/src/y'\n" },
    { 'packages/a/src/x.ts': "export { y } from '../../../services/b/src/y'\n" },
    {
      'services/b/package.json': '{ "name": "@bursar/b" }',
      'services/a/src/x.ts': "import type { Y } from '@bursar/b/y'\n",
    },
  ],
}

const sqliteAtHome: Rule = {
  says: 'only packages/store knows which database there is',
  complaints: (tree) => {
    const outside = /^(?!packages\/store\/|test\/(bench|e2e|faults|scale|tidy)\/).*\.ts$/
    return wrongImports(tree, outside, (from) =>
      /^bun:sqlite$|^drizzle-orm\/(bun-)?sqlite/.test(from) ? 'take it from @bursar/store' : false,
    )
  },
  breaks: [
    { 'services/a/src/x.ts': "import { Database } from 'bun:sqlite'\n" },
    { 'services/a/src/x/x.table.ts': "import {\n  text,\n} from 'drizzle-orm/sqlite-core'\n" },
  ],
}

const layers: Rule = {
  says: 'routes know no database, domain, tables and consumers know no HTTP, tables know the vocabulary alone',
  complaints: (tree) => [
    ...wrongImports(tree, /^services\/[^/]+\/src\/.*\.routes\.ts$/, (from) =>
      isDrizzle(from) || /\.table$/.test(from) ? 'queries belong into the domain file' : false,
    ),
    ...wrongImports(tree, /^services\/[^/]+\/src\/[^/]+\/(?!.*\.(routes|test)\.ts$).*\.ts$/, (from) =>
      /^@?elysia(js)?(\/|$)/.test(from) || /\.routes$/.test(from) ? 'HTTP belongs into the routes file' : false,
    ),
    ...wrongImports(tree, /^services\/.*\.table\.ts$/, (from, typeOnly) => {
      const isVocabulary = from === '@bursar/store/schema' || /^\..*\.table$/.test(from)
      const isWords = typeOnly && /^(@bursar\/contracts\/|\.)/.test(from)
      return isVocabulary || isWords
        ? false
        : 'a table takes its columns from @bursar/store/schema, and types of its own or of @bursar/contracts'
    }),
  ],
  breaks: [
    { 'services/a/src/x/x.routes.ts': "import { eq } from 'drizzle-orm'\n" },
    { 'services/a/src/x/x.routes.ts': "import { xs } from './x.table'\n" },
    { 'services/a/src/x/x.ts': "import { status } from 'elysia'\n" },
    { 'services/a/src/x/x.consumer.ts': "import { xRoutes } from './x.routes'\n" },
    { 'services/a/src/x/x.table.ts': "import { eq } from 'drizzle-orm'\n" },
    { 'services/a/src/x/x.table.ts': "import type { SQL } from 'drizzle-orm'\n" },
    { 'services/a/src/x/x.table.ts': "import { words } from '@bursar/contracts/x'\n" },
  ],
}

const portableStatements: Rule = {
  says: 'services await builders or prepared statements, and write through store.commit',
  complaints: (tree) => {
    const files = filesIn(tree, /^services\/.*\.ts$/).filter(([path]) => !isTest(path))
    const complaint = 'await the builder, or statement.execute({…}); write through store.commit'
    return found(
      files,
      /\.(get|all|run)\((?=\{)|\)\s*\.(get|all)\(\)|\b(db|tx|store|read|connection)\.transaction\(/g,
      complaint,
    )
  },
  breaks: [
    { 'services/a/src/x/x.ts': 'return byId(store.read).get({ id })\n' },
    { 'services/a/src/x/x.ts': 'return store.read.select().from(xs).all()\n' },
    { 'services/a/src/x/x.ts': 'await db.transaction(async (tx) => {})\n' },
  ],
}

const composable: Rule = {
  says: 'a function that takes tx or db does not commit: whoever calls it does, so that it can be part of more',
  complaints: (tree) =>
    filesIn(tree, /^services\/[^/]+\/src\/.*\.ts$/).flatMap(([path, text]) =>
      text
        .split(/^(?=(?:export )?(?:async function|function|const) )/m)
        .filter((declaration) => /^[^\n]*\(\s*(?:tx: Tx|db: Db)\b/.test(declaration) && /\.commit\(/.test(declaration))
        .map((declaration) => `${path}: ${declaration.split('\n')[0]}: leave the commit to its caller`),
    ),
  breaks: [
    {
      'services/a/src/x/x.ts':
        'export async function makeX(tx: Tx, store: Store) {\n  await store.commit((inner) => insert(inner))\n}\n',
    },
  ],
}

const takenApart: Rule = {
  says: 'a handler takes from its context what it needs: passed on whole, Elysia reads headers, cookies and query for it',
  complaints: (tree) => {
    const files = filesIn(tree, /^services\/.*\.routes\.ts$/)
    const complaint = 'write ({ request, set, body }) => once({ request, set }, …)'
    const wholeContext = /\b(?:context|ctx)\)? =>|\b(?:once|\w+Once|once[A-Z]\w*)\(\s*[\w$]+\s*,/g
    return found(files, wholeContext, complaint)
  },
  breaks: [
    {
      'services/a/src/x/x.routes.ts':
        "  .post('/', (context) => once(context, 201, (store) => x(store, context.body)))\n",
    },
    { 'services/a/src/x/x.routes.ts': 'async (context) => {\n  const { body } = context\n}\n' },
    { 'services/a/src/x/x.routes.ts': '(c) =>\n  signOnce(\n    c,\n    201,\n    work,\n  )\n' },
  ],
}

const noInsides: Rule = {
  says: 'a package is used by what its package.json exports; its own tests may look inside',
  complaints: (tree) =>
    wrongImports(tree, modules, (from, _, path) => {
      const target = from.startsWith('.') ? posix.join(posix.dirname(path), from) : from
      const inside = /^packages\/[^/]+\/(src|test)\b/.test(target) && packageOf(target) !== packageOf(path)
      return inside && !path.startsWith('test/tidy/') && 'import the package by its name'
    }),
  breaks: [{ 'scripts/x.ts': "import { openPort } from '../packages/http/src/edge/open-port'\n" }],
}

const operators: Rule = {
  says: 'services take operators and sql from @bursar/store alone',
  complaints: (tree) =>
    wrongImports(tree, /^services\/.*\.ts$/, (from) => isDrizzle(from) && 'take it from @bursar/store'),
  breaks: [
    { 'services/a/src/x/x.ts': "import { eq } from 'drizzle-orm'\n" },
    { 'services/a/test/x.test.ts': "import { sql } from 'drizzle-orm'\n" },
  ],
}

/** Words of SQLite's SQL that PostgreSQL lacks, or understands otherwise. */
const sqliteWords =
  /\b(json_\w+|strftime|unixepoch|julianday|datetime|ifnull|iif|group_concat|instr|printf|typeof|total)\(|\b(rowid|glob|indexed by)\b/i

const portableSql: Rule = {
  says: 'raw sql says nothing that only SQLite understands',
  complaints: (tree) =>
    filesIn(tree, /^services\/.*\.ts$/).flatMap(([path, text]) =>
      [...text.matchAll(/\bsql(?:<[^>`]*>)?`([^`]*)`/g)]
        .filter(([, sql = '']) => sqliteWords.test(sql.replace(/\$\{[^}]*\}/g, '?')))
        .map(([sql]) => `${path}: ${sql}: write it so that PostgreSQL understands it too`),
    ),
  breaks: [
    { 'services/a/src/x/x.ts': "sql`json_extract(data, '$.x')`\n" },
    { 'services/a/src/x/x.ts': 'sql<number>`unixepoch()`\n' },
  ],
}

const failedCalls: Rule = {
  says: 'which calls failed is decided in packages/http/src/peers/call-error.ts',
  complaints: (tree) => {
    const files = filesIn(tree, /^(?!packages\/http\/src\/peers\/call-error\.ts$|test\/tidy\/).*\.tsx?$/)
    return found(files, /\binstanceof CallError\b/g, 'write ifCallFails(…), isRefused(…) or isCallError(…)')
  },
  breaks: [{ 'services/a/src/x.ts': 'if (!(error instanceof CallError)) throw error\n' }],
}

export const borderRules = [
  ownPackages,
  sqliteAtHome,
  layers,
  portableStatements,
  composable,
  takenApart,
  noInsides,
  operators,
  portableSql,
  failedCalls,
]
