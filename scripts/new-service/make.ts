import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { contractOf, filesOf, writeFiles } from './files'
import { withContractImport, withPort, withProcess } from './register'
import { change } from './remove'
import { run } from './run'
import type { Plan } from './words'

const contracts = 'packages/contracts/src'

/** Makes the service, whole or not at all. */
export function makeService(root: string, plan: Plan & { name: ServiceName }, install: boolean): void {
  const folder = join(root, 'services', plan.name)
  const contract = join(contracts, `${plan.contract}.ts`)
  const tool = (name: string) => join(root, 'node_modules/.bin', name)
  const before = remembered(root, [`${contracts}/events.ts`, '.env.example', 'Procfile', 'docs/events.md', 'bun.lock'])
  try {
    writeFiles(folder, filesOf(root, plan))
    writeFiles(root, new Map([[contract, contractOf(plan)]]))
    change(root, `${contracts}/events.ts`, (text) => withContractImport(text, plan.contract))
    if (install) run([process.execPath, 'install'], root)
    // It ends with 0 also when it could not read the tables.
    run([tool('drizzle-kit'), 'generate', '--name', 'start'], folder, 'migrations/sqlite/0000_start.sql')
    // Other names have another length, and another place among the imports.
    run([tool('biome'), 'check', '--write', folder, join(root, contract)], root)
    change(root, '.env.example', (text) => withPort(text, plan.name))
    change(root, 'Procfile', (text) => withProcess(text, plan.name))
    documentEvents(root)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    rmSync(join(root, contract), { force: true })
    before.restore()
    throw error
  }
}

/** Writes docs/events.md, by a process of its own: this one knows the contracts as they were at its start. */
export const documentEvents = (root: string): void => run([process.execPath, 'scripts/docs-events.ts'], root)

/** The files as they are now; `restore` writes them back. */
function remembered(root: string, paths: readonly string[]) {
  const texts = paths
    .filter((path) => existsSync(join(root, path)))
    .map((path) => [join(root, path), readFileSync(join(root, path))] as const)
  return {
    restore() {
      for (const [path, text] of texts) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
    },
  }
}
