import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plan, standIns, worded } from './words'

/**
 * The template: a service that compiles, with `transaction-manager` standing for the service's name and sample notes for
 * its resource. Its tests are called `*.black-box.ts` there, so that they run only in the services made from it. Its
 * contract lies beside it; in the project it goes to packages/contracts.
 */
const folder = join(import.meta.dir, 'template')
const contractPath = 'contract/sample-notes.contract.ts'

/** The template's files by their path in a service, and its contract. */
export function readTemplate(): Map<string, string> {
  const paths = [...new Bun.Glob('**/*.ts').scanSync({ cwd: folder })].sort()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** The files of a new service by their path in it, all but the migrations. `root` is the workspace. */
export function filesOf(root: string, plan: Plan): Map<string, string> {
  const words = standIns(plan)
  const files = [...readTemplate()]
    .filter(([path]) => path !== contractPath)
    .map(([path, text]): [string, string] => [
      worded(path, words).replace('.black-box.ts', '.test.ts'),
      worded(withContract(text, plan.contract), words),
    ])
  return new Map([['package.json', manifest(root, plan)], ...files])
}

const withContract = (text: string, contract: string): string =>
  text.replace(/'(\.\.\/)+contract\/sample-notes\.contract'/g, `'@bursar/contracts/${contract}'`)

/** The new service's contract, as it stands in packages/contracts. */
export function contractOf(plan: Plan): string {
  const text = readTemplate().get(contractPath) ?? ''
  return `${marker(plan.name)}\n${worded(text, standIns(plan)).replaceAll('@bursar/contracts/', './')}`
}

/** The first line of a contract that was made with a service, by which it is found again. */
export const marker = (name: string): string => `// Made with services/${name}: \`new-service --remove\` deletes both.`

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The service's package.json; the versions stand in the workspace's catalog. */
function manifest(root: string, { name }: Plan): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const own = (...names: string[]) => Object.fromEntries(names.map((each) => [`@bursar/${each}`, 'workspace:*']))
  const content = {
    name: `@bursar/${name}`,
    version,
    private: true,
    type: 'module',
    scripts: { migrations: 'bunx drizzle-kit generate' },
    dependencies: { ...own('contracts', 'http', 'store'), 'drizzle-orm': 'catalog:', elysia: 'catalog:' },
    devDependencies: { ...own('testing'), 'drizzle-kit': 'catalog:' },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}
