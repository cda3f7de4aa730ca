import { join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { messageOf } from '@bursar/contracts/log'
import { serviceNames as names, type ServiceName, services } from '@bursar/contracts/services'
import { databaseSetting, type Environment } from '@bursar/http'
import { lockFile, type Moved, movedFrom, movedName, openForReading, type Place } from '@bursar/store'
import {
  copyTables,
  MoveDifference,
  openSource,
  openTarget,
  type Source,
  settle,
  type Target,
  unfinished,
} from '@bursar/store/move'
import { replaceFile } from '@bursar/store/on-disk'
import { auditAll } from '../../services/core-ledger/src/audit/audit'
import { AuditDifference } from '../../services/core-ledger/src/audit/audit-difference'
import { differenceFrom } from '../../services/core-ledger/src/reconciliation/heads'
import { checkTrail } from '../audit/audit-trail'
import { headFrom } from '../audit/newest-head'
import { lockStack } from '../stack/stack-lock'
import { followersOf } from './followers'
import { folderOf, oldestVersion, requireAll, requireNotSetBack } from './requirements'
import { eventsInRedis } from './waiting-events'

export interface Moving {
  url: string
  dataDir: string
  withRedis: boolean
  env: Environment
  say: (line: string) => void
}

const slugs = names.map((name) => services[name].slug)
const saidMs = 5000

/** Copies all databases of a data folder to a server. Throws a sentence; nothing is to be found there then. */
export async function moveTo({ url, dataDir, withRedis, env, say }: Moving): Promise<void> {
  databaseSetting({ DATABASE_URL: url })
  requireAll(dataDir, names)
  lockStack(dataDir, { withRedis: true })
  for (const slug of slugs) lockFile(join(dataDir, `${slug}.sqlite`), 'The database')
  const sources = new Map(names.map((name) => [name, openSource(join(dataDir, `${services[name].slug}.sqlite`))]))
  const target = await openTarget(url)
  try {
    for (const [name, source] of sources) source.requireNewest(folderOf(name, 'sqlite'))
    requireNotSetBack(dataDir, sources)
    const moved: Moved = { at: new Date().toISOString(), to: nameOf(url) }
    await requireEmpty(target, { before: movedFrom(dataDir), to: moved.to })
    const events = withRedis ? await eventsInRedis(dataDir, env, say) : []
    if (events.length > 0)
      say(`${events.length} events wait in Redis, and are copied into the outboxes of their services`)
    try {
      for (const [name, source] of sources) await copy({ name, source, target, url, events, say })
      say(await auditMoved(url, sources))
      // From here on nobody starts with the files: what comes next cannot be taken back by them.
      replaceFile(join(dataDir, movedName), `${JSON.stringify(moved)}\n`)
    } catch (error) {
      for (const slug of slugs) await target.drop(unfinished(slug)).catch(() => {})
      throw error
    }
    // If this fails the unfinished schemas stay: services that start with the server all the same would make empty ones.
    await target.publish(slugs).catch((cause: unknown) => {
      throw new Error(`The move has not ended (${messageOf(cause)}): run it again; nothing starts before that`, {
        cause,
      })
    })
    say(
      `The data of ${dataDir} is in ${moved.to}. Its files are as they were; services do not start with them any more.`,
    )
    say(
      'Set DATABASE_URL on all machines, and the keys and the wallets’ seed: bun run keys <file> writes these as settings.',
    )
  } finally {
    for (const source of sources.values()) source.close()
    await target.close()
  }
}

const nameOf = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

async function requireEmpty(target: Target, { before, to }: { before: Moved | null; to: string }): Promise<void> {
  const version = await target.version()
  if (version < oldestVersion * 10_000)
    throw new Error(`The server is PostgreSQL ${Math.floor(version / 10_000)}: ${oldestVersion} or later is needed`)
  const there = await target.present(slugs)
  if (there.length > 0)
    throw new Error(
      before?.to === to
        ? `The data was moved to ${to} already (${before.at}), and is whole there: start the services with DATABASE_URL`
        : `${to} has schemas of services already (${there.join(', ')}): name an empty database`,
    )
  // One that was killed after it had noted the move, and before it was made, names the same database.
  if (before && before.to !== to)
    throw new Error(
      `The data was moved to ${before.to} already (${before.at}). If nothing runs there, delete ${movedName} in the data folder first`,
    )
}

interface Copying {
  name: ServiceName
  source: Source
  target: Target
  url: string
  events: readonly Envelope[]
  say: (line: string) => void
}

async function copy({ name, source, target, url, events, say }: Copying): Promise<void> {
  const { slug: schema } = services[name]
  const since = performance.now()
  const migrations = folderOf(name, 'postgres')
  await target.make(unfinished(schema), migrations)
  let saidAt = since
  const copied = await copyTables(source, target, schema, (table, rows, all) => {
    if (performance.now() - saidAt < saidMs) return
    saidAt = performance.now()
    say(`${name}: ${rows} of ${all} rows of ${table}`)
  })
  const own = events.filter(({ service }) => service === name)
  await settle({ url, service: name, schema, migrations, source, followers: followersOf(name), events: own })
  const rows = [...copied.values()].reduce((sum, count) => sum + count, 0)
  const seconds = ((performance.now() - since) / 1000).toFixed(1)
  say(`${name}: ${rows} rows of ${copied.size} tables are on the server as they are in the file (${seconds} s)`)
}

/** Audits the copied books: their seals and sums, what the tracker knows of them, the audit trail. Gives a sentence. */
async function auditMoved(url: string, sources: ReadonlyMap<ServiceName, Source>): Promise<string> {
  const placeOf = (name: ServiceName): Place => ({ url, schema: unfinished(services[name].slug) })
  const ledger = await openForReading(placeOf('core-ledger'))
  try {
    const { entries, sealed, balances } = await auditAll(ledger)
    const written = sources.get('core-ledger')?.count('journal')
    if (entries !== written)
      throw new MoveDifference(`The audit has read ${entries} entries, and the file has ${written}`)
    const head = await headFrom(placeOf('log-tracker'))
    const difference = head && (await differenceFrom(ledger.read, head))
    if (difference) throw new AuditDifference(difference)
    const trail = await checkTrail(placeOf('gateway'))
    return [
      `The books are right there: ${entries} entries, ${sealed} of them under seals that were recomputed, ${balances} balances`,
      trail.trim(),
    ]
      .filter(Boolean)
      .join('\n')
  } finally {
    await ledger.close()
  }
}
