import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { marker } from './files'
import { withoutContractImport, withoutPort, withoutProcess } from './register'

const contracts = 'packages/contracts/src'

/** The contracts that were made with a service, without `.ts`. */
const contractsOf = (root: string, name: ServiceName): string[] =>
  readdirSync(join(root, contracts))
    .filter((file) => readFileSync(join(root, contracts, file), 'utf8').startsWith(marker(name)))
    .map((file) => file.replace(/\.ts$/, ''))

/**
 * Deletes a service that the script made: its folder, its contract and its lines elsewhere. Throws one sentence when
 * the script did not make it, or another service uses its contract.
 */
export function removeService(root: string, name: ServiceName): void {
  const folder = join(root, 'services', name)
  if (!existsSync(folder)) throw new Error(`There is no services/${name}.`)
  const made = contractsOf(root, name)
  if (made.length === 0) {
    throw new Error(`services/${name} has no contract that begins with "${marker(name)}": delete it by hand.`)
  }
  const user = userOf(root, name, made)
  if (user) throw new Error(`${user} uses the contract of ${name}: change it first.`)
  rmSync(folder, { recursive: true })
  for (const contract of made) {
    rmSync(join(root, contracts, `${contract}.ts`))
    change(root, `${contracts}/events.ts`, (text) => withoutContractImport(text, contract))
  }
  change(root, '.env.example', (text) => withoutPort(text, name))
  change(root, 'Procfile', (text) => withoutProcess(text, name))
}

/** A file outside of the service that imports one of its contracts. */
function userOf(root: string, name: ServiceName, made: readonly string[]): string | undefined {
  const files = new Bun.Glob('{packages,services,scripts,test}/**/*.ts').scanSync({ cwd: root })
  return [...files].find((path) => {
    if (path.includes('node_modules/') || path.startsWith(`services/${name}/`)) return false
    const text = readFileSync(join(root, path), 'utf8')
    return made.some((contract) => text.includes(`'@bursar/contracts/${contract}'`))
  })
}

/** Edits a file of the project. */
export function change(root: string, path: string, edit: (text: string) => string): void {
  writeFileSync(join(root, path), edit(readFileSync(join(root, path), 'utf8')))
}
