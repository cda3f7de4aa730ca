import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ServiceName, services } from '@bursar/contracts/services'
import { epochFileOf, isOlder, readRunFile, runKey } from '@bursar/store'
import type { Source } from '@bursar/store/move'
import { readRun } from '../../services/wallet/src/restore/run-file'

/** The oldest release of PostgreSQL. */
export const oldestVersion = 15

/** The folder of a service's migrations. */
export const folderOf = (name: ServiceName, engine: 'sqlite' | 'postgres'): string =>
  fileURLToPath(new URL(`../../services/${name}/migrations/${engine}`, import.meta.url))

/** Throws unless each service has its file. */
export function requireAll(dataDir: string, names: readonly ServiceName[]): void {
  const missing = names
    .map((name) => `${services[name].slug}.sqlite`)
    .filter((file) => !existsSync(join(dataDir, file)))
  if (missing.length === 0) return
  throw new Error(
    missing.length === names.length
      ? `There are no databases in ${dataDir}: name the data folder by --data-dir`
      : `${dataDir} lacks ${missing.join(', ')}: restore a backup that has them, or start all services once, which makes them`,
  )
}

/**
 * Throws where a file was put back to an older state and no service has started with it since: it acts on that with its next
 * start, and does so by files beside it, which stay behind.
 */
export function requireNotSetBack(dataDir: string, sources: ReadonlyMap<ServiceName, Source>): void {
  for (const [name, source] of sources) {
    const { slug } = services[name]
    const file = join(dataDir, `${slug}.sqlite`)
    const at = { run: Number(source.note(runKey) ?? 0), newest: source.given('outbox') }
    const own = join(dataDir, `${slug}.run`)
    const files = [epochFileOf(file), ...(typeof readRunFile(own) === 'number' ? [own] : [])]
    if (files.some((each) => isOlder(at, each))) throw setBack(file)
  }
  const wallet = sources.get('wallet')
  if (wallet && lacksSignature(dataDir, wallet)) throw setBack(join(dataDir, `${services.wallet.slug}.sqlite`))
}

const setBack = (file: string): Error =>
  new Error(
    `${file} was put back to an older state. Start the services with the files once, so that they act on that, and stop them.`,
  )

/** Whether the wallet's run file is of another database, or names a signature that this one lacks. */
function lacksSignature(dataDir: string, wallet: Source): boolean {
  const run = readRun(dataDir)
  const lines = [...wallet.rows('restore_hold', ['line'], 1)].flat()
  if (run === null) return lines.length > 0
  const missing = new Set(run.signed.map(({ txHash }) => txHash))
  for (const page of wallet.rows('signatures', ['tx_hash'], 10_000))
    for (const [hash] of page) missing.delete(String(hash))
  return missing.size > 0 || lines[0]?.[0] !== run.line
}
