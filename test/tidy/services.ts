import { type ServiceName, services } from '@bursar/contracts/services'
import { filesIn, isTest, type Rule, serviceNames, type Tree } from './tree'

// And errors.ts, where a service has errors of its own.
const sameFiles = ['package.json', 'drizzle.config.ts', 'src/main.ts', 'src/service.ts', 'src/app.ts', 'src/config.ts']

/** drizzle-kit's settings are the store's, which knows the tables that every service has. */
const drizzleConfig = "export { default } from '@bursar/store/drizzle-config'"

const sameShape: Rule = {
  says: 'every service has the same files, and the settings of drizzle-kit from the store',
  complaints: (tree) =>
    serviceNames(tree).flatMap((name) => {
      const folder = `services/${name}/`
      const has = (pattern: RegExp) =>
        [...tree.keys()].some((path) => path.startsWith(folder) && pattern.test(path.slice(folder.length)))
      return [
        ...sameFiles.filter((file) => !tree.has(folder + file)).map((file) => `${folder}${file} is missing`),
        ...(tree.get(`${folder}drizzle.config.ts`)?.trim() === drizzleConfig
          ? []
          : [`${folder}drizzle.config.ts: should be ${drizzleConfig}`]),
        ...['sqlite', 'postgres']
          .filter((engine) => !has(new RegExp(`^migrations/${engine}/.*\\.sql$`)))
          .map((engine) => `${folder}migrations/${engine} holds no migration`),
        ...(has(/^test\/.*\.test\.ts$/) ? [] : [`${folder}test holds no test`]),
      ]
    }),
  breaks: [{ 'services/quote/package.json': '{}' }],
}

const everyServiceStarts: Rule = {
  says: 'a service stands in the catalogue and in the Procfile',
  complaints: (tree) => {
    const lines = (tree.get('Procfile') ?? '').split('\n').filter(Boolean)
    const expected = serviceNames(tree).map((name) => `${name}: exec bun services/${name}/src/main.ts`)
    return [
      ...serviceNames(tree)
        .filter((name) => !(name in services))
        .map((name) => `services/${name}: not in the catalogue of contracts/services.ts`),
      ...expected.filter((line) => !lines.includes(line)).map((line) => `Procfile: lacks ${line}`),
      ...lines.filter((line) => !expected.includes(line)).map((line) => `Procfile: no service has the line ${line}`),
    ]
  },
  breaks: [
    { 'services/quote/src/main.ts': '' },
    { Procfile: 'quote: exec bun services/quote/src/main.ts\n' },
    { 'services/odd/src/main.ts': '', Procfile: 'odd: exec bun services/odd/src/main.ts\n' },
  ],
}

/** Variables that belong to the system, not to us; TEST_DATABASE_URL is of tests alone. */
const notOurs = new Set([
  'TEST_DATABASE_URL',
  'PATH',
  'HOME',
  'NODE_ENV',
  'NO_COLOR',
  'BUN_TEST_WORKER_ID',
  'CREDENTIALS_DIRECTORY',
])

/** The variables that the code reads: `env.NAME`, `readX(env, 'NAME')`, and each service's port. */
function variablesRead(tree: Tree): Set<string> {
  const texts = filesIn(tree, /^(packages|services|scripts)\/.*\.(ts|mjs)$/).filter(([path]) => !isTest(path))
  const read = texts.flatMap(([, text]) =>
    [...text.matchAll(/\benv(?:\.|,\s*'|\[')([A-Z][A-Z0-9]*(?:_\w+)?)\b/g)].map(([, name = '']) => name),
  )
  const known = serviceNames(tree).filter((name): name is ServiceName => name in services)
  const ports = known.map((name) => `${services[name].slug.toUpperCase()}_PORT`)
  return new Set([...read, ...ports].filter((name) => !notOurs.has(name)))
}

const settings: Rule = {
  says: 'every environment variable stands in .env.example, with a comment, and is read',
  complaints: (tree) => {
    const example = tree.get('.env.example') ?? ''
    const listed = [...example.matchAll(/^# ([A-Z]\w*)=/gm)].map(([, name = '']) => name)
    const read = variablesRead(tree)
    return [
      ...[...read].filter((name) => !listed.includes(name)).map((name) => `.env.example lacks ${name}`),
      ...listed.filter((name) => !read.has(name)).map((name) => `.env.example: nothing reads ${name}`),
    ]
  },
  breaks: [
    { 'services/a/src/config.ts': 'const host = env.HOST\n' },
    { 'services/a/src/config.ts': "const x = wordSetting(env, 'A_MODE', modes)\n" },
    { 'services/quote/src/main.ts': '' },
    { '.env.example': '# Something.\n# LEFT_OVER=1\n' },
  ],
}

export const serviceRules = [sameShape, everyServiceStarts, settings]
