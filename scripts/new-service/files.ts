import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plan, standIns, worded } from './words'

/**
 * The template: a service that compiles, with `transaction-manager` standing for the service's name and sample notes for
 * its resource. Its test is called `*.black-box.ts` there, so that it runs only in the services made from it.
 */
const folder = join(import.meta.dir, 'template')

/** The template's files by their path in a service. */
export function readTemplate(): Map<string, string> {
  const paths = [...new Bun.Glob('**/*.ts').scanSync({ cwd: folder })].sort()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** The files of a new service by their path in it, all but the migrations. `root` is the workspace. */
export function filesOf(root: string, plan: Plan): Map<string, string> {
  const words = standIns(plan)
  const files = [...readTemplate()].map(([path, text]): [string, string] => [
    worded(path, words).replace('.black-box.ts', '.test.ts'),
    worded(text, words),
  ])
  return new Map([['package.json', manifest(root, plan.name)], ...files])
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The service's package.json, with the versions that the workspace uses. */
function manifest(root: string, name: string): string {
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const { version, devDependencies: tools } = read('package.json')
  const { dependencies: store } = read('packages/store/package.json')
  const own = (...names: string[]) => Object.fromEntries(names.map((each) => [`@bursar/${each}`, 'workspace:*']))
  const content = {
    name: `@bursar/${name}`,
    version,
    private: true,
    type: 'module',
    scripts: { migrations: 'bunx drizzle-kit generate' },
    dependencies: {
      ...own('contracts', 'http', 'store'),
      'drizzle-orm': store['drizzle-orm'],
      elysia: tools.elysia,
    },
    devDependencies: { ...own('testing'), 'drizzle-kit': tools['drizzle-kit'] },
  }
  return `${JSON.stringify(content, null, 2)}\n`
}
