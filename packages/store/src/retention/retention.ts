// Rows of a table that leave it when they are old, or when their database is larger than it may be: they are kept in an
// archive first, then deleted in small commits.
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { fitting } from '../lists/row-bytes'
import type { Db, Tx } from '../statements/statements'
import { every, type Loop } from '../work/every'
import { type Archive, folderArchive } from './archive'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Rows that leave a table, the oldest first. */
export interface Retained<R extends object> {
  /** The table's name, and that of its archive. */
  table: string
  /** The oldest rows from before a moment, oldest first, at most so many; found by an index. */
  oldest(db: Db, given: { before: Date; limit: number }): Promise<R[]>
  /** The bytes of each of those rows, in their order, of a table in which some may be large: only so many are read at once. */
  sizes?(db: Db, given: { before: Date; limit: number }): Promise<readonly { bytes: number }[]>
  /** What names a row: its time and its key. */
  named(row: R): { at: Date; key: string }
  /** The row as the archive is to have it. Without it rows are deleted, and nothing of them is kept. */
  archived?(row: R): object
  /** Deletes these rows, and takes them out of what counts them. One that must stay by now is left. Gives how many it deleted. */
  remove(tx: Tx, rows: readonly R[]): Promise<number>
}

/** What a run takes at most. */
interface Most {
  /** Rows of one file of the archive. */
  together: number
  /** Rows of one commit that deletes. */
  deleted: number
  /** Bytes of the rows of one file, where their table tells them; 4 MiB unless given. */
  bytes?: number
}

const usual: Most = { together: 5000, deleted: 200 }
const mostBytes = 4 * 1024 * 1024

interface Retiring {
  before: Date
  archive: Archive | null
  isStopping?: () => boolean
  /** Asked before each file of the archive; ends the run. */
  isEnough?: () => Promise<boolean>
}

/**
 * Archives and deletes the rows from before a moment. A crash between the two leaves rows in both places: the next run keeps
 * them again, so that an archive may have a row twice, and never misses one. Gives the number of rows that left.
 */
export async function retire<R extends object>(
  store: Store,
  { oldest, sizes, remove, ...kept }: Retained<R>,
  { before, archive, isStopping, isEnough }: Retiring,
  { together, deleted, bytes = mostBytes }: Most = usual,
): Promise<number> {
  let gone = 0
  while (!(await isEnough?.())) {
    const found = await sizes?.(store.read, { before, limit: together })
    const limit = found ? fitting(found, bytes, together) : together
    const rows: R[] = await oldest(store.read, { before, limit })
    await keepIn(archive, kept, rows)
    const goneBefore = gone
    for (let from = 0; from < rows.length; from += deleted) {
      if (isStopping?.()) return gone
      const some = rows.slice(from, from + deleted)
      gone += await store.commit((tx) => remove(tx, some))
    }
    // Of a full page from which nothing left, all must stay: the next one would be the same.
    if ((limit === together && rows.length < together) || gone === goneBefore) break
  }
  return gone
}

async function keepIn<R extends object>(
  archive: Archive | null,
  { table, named, archived }: Pick<Retained<R>, 'table' | 'named' | 'archived'>,
  rows: readonly R[],
): Promise<void> {
  const [first] = rows
  if (archive && archived && first) await archive.keep(table, rows.map(archived), named(first))
}

/** Which rows leave, and when. */
export interface Retention<R extends object = object> {
  retained: Retained<R>
  /** Older ones leave; 0 for none. */
  days: number
  /** The oldest leave as well while the database holds more; 0 for any. */
  megabytes?: number
  /** Younger ones stay, whatever it holds; 1 unless given. */
  leastDays?: number
}

export interface RetentionOptions {
  store: OpenStore
  /** The folder of the service's archives; null deletes without one. */
  folder: string | null
  now: () => Date
  /** True once the service stops: a long run ends early, and the next start goes on. */
  isStopping?: () => boolean
}

/** Lets go of what is old enough now, and of more when the database is too large. Gives the tables at which it failed. */
export async function retireOld(
  retentions: readonly Retention[],
  options: RetentionOptions,
  most = usual,
): Promise<Set<string>> {
  const { store, folder, now, isStopping } = options
  const archive = folder === null ? null : folderArchive(folder)
  const failed = new Set<string>()
  async function run({ retained }: Retention, days: number, isEnough?: () => Promise<boolean>): Promise<void> {
    const before = new Date(now().getTime() - days * dayMs)
    const { table } = retained
    try {
      const rows = await retire(store, retained, { before, archive, isStopping, isEnough }, most)
      if (rows > 0) store.log.info({ table, rows, before, folder }, 'Old rows have left the database')
    } catch (error) {
      failed.add(table)
      store.log.error({ err: error, table, folder }, 'Old rows stay in the database: they could not leave it')
    }
  }
  for (const each of retentions) if (each.days > 0) await run(each, each.days)
  for (const each of retentions) {
    const { megabytes = 0, leastDays = 1 } = each
    const isEnough = async () => ((await store.usedBytes()) ?? 0) <= megabytes * 1_000_000
    if (megabytes > 0) await run(each, leastDays, isEnough)
  }
  return failed
}

/** Lets rows go, and tells how that went. */
export interface RetentionLoop extends Loop {
  /** Whether the last run let the rows of each table go: 1 or 0. */
  outcomes(): Record<string, number>
  /** A sentence for a person about rows that cannot leave; null for none. */
  problem(): string | null
}

/** Lets rows go every hour, unless a test says otherwise; the first time a minute after the start. */
export function startRetiring(
  retentions: readonly Retention[],
  { pauseMs = hourMs, ...options }: Omit<RetentionOptions, 'isStopping'> & { pauseMs?: number },
): RetentionLoop {
  let failed: ReadonlySet<string> = new Set()
  let isStopping = false
  const work = async (own: OpenStore) => {
    failed = await retireOld(retentions, { ...options, store: own, isStopping: () => isStopping })
  }
  const { store } = options
  if (dialect !== 'sqlite' && retentions.some(({ megabytes = 0 }) => megabytes > 0))
    store.log.warn(
      {},
      'A bound by size does nothing on a server, where rows that leave give no room back: bound them by age',
    )
  const loop = every(pauseMs, work, {
    log: store.log,
    name: 'The retention of old rows',
    firstMs: Math.min(pauseMs, 60_000),
    alone: store,
  })
  return {
    ...loop,
    outcomes: () => Object.fromEntries(retentions.map(({ retained: { table } }) => [table, failed.has(table) ? 0 : 1])),
    problem: () =>
      failed.size === 0
        ? null
        : `old rows of ${[...failed].join(', ')} cannot leave the database, and stay: its log says why; see BursarRetentionFails in docs/operations.md`,
    stop() {
      isStopping = true
      return loop.stop()
    },
  }
}
