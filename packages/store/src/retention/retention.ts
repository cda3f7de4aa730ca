// Rows that leave their table when they are old, or the database is larger than allowed: archived first, then deleted
// in small commits.
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import { fitting } from '../lists/row-bytes'
import type { Db, Tx } from '../statements/statements'
import { every, type Loop } from '../work/every'
import { type PlausibleTimeOptions, plausibleTime } from '../work/plausible-time'
import { type Archive, folderArchive } from './archive'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** A table whose oldest rows leave. */
export interface Retained<R extends object> {
  /** The table's name, and that of its archive. */
  table: string
  /** The rows from before a moment, oldest first, at most `limit`; found by an index. */
  oldest(db: Db, given: { before: Date; limit: number }): Promise<R[]>
  /**
   * The bytes of those rows, in order, for a table in which some may be large: they limit how many are read at once.
   */
  sizes?(db: Db, given: { before: Date; limit: number }): Promise<readonly { bytes: number }[]>
  /** The identity of a row: its time and its key. */
  named(row: R): { at: Date; key: string }
  /** The row in its archived form. If left out, rows are deleted without an archive. */
  archived?(row: R): object
  /**
   * Deletes these rows, and updates their counts. A row that must stay by now is kept. Returns how many were deleted.
   */
  remove(tx: Tx, rows: readonly R[]): Promise<number>
}

/** The limits of a run. */
interface Most {
  /** Rows per archive file. */
  together: number
  /** Rows deleted per commit. */
  deleted: number
  /** Bytes of rows per file, if their table gives `sizes`; 4 MiB by default. */
  bytes?: number
}

const usual: Most = { together: 5000, deleted: 200 }
const mostBytes = 4 * 1024 * 1024

interface Retiring {
  before: Date
  archive: Archive | null
  isStopping?: () => boolean
  /** Called before each archive file; true ends the run. */
  isEnough?: () => Promise<boolean>
}

/**
 * Archives and deletes the rows from before a moment. A crash in between leaves rows in both places: the next run
 * archives them again, so that an archive may have a row twice, and never lacks one. Returns the number of deleted
 * rows.
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
    // If nothing of a full page was deleted, all its rows must stay: the next page would be the same.
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

/** A table's retention: which rows leave, and when. */
export interface Retention<R extends object = object> {
  retained: Retained<R>
  /** Older rows leave; 0 keeps all. */
  days: number
  /** While the database holds more than this, the oldest rows leave as well; 0 for no limit. */
  megabytes?: number
  /** Younger rows stay, whatever the database holds; 1 by default. */
  leastDays?: number
}

interface RetentionOptions {
  store: OpenStore
  /** The folder of the service's archives; null deletes without one. */
  folder: string | null
  now: () => Date
  /** True once the service stops: a long run ends early, and the next start goes on. */
  isStopping?: () => boolean
}

/** Retires rows that are old enough, and more if the database is too large. Returns the tables at which it failed. */
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

/** The retention worker, and its results. */
export interface RetentionLoop extends Loop {
  /** Whether the last run succeeded for each table: 1 or 0. */
  outcomes(): Record<string, number>
  /** A sentence for a person about rows that cannot leave; null for none. */
  problem(): string | null
}

/**
 * Retires rows every hour, the first time a minute after the start. A clock that jumps ahead retires no more than the
 * elapsed time allows.
 */
export function startRetiring(
  retentions: readonly Retention[],
  { pauseMs = hourMs, ...options }: Omit<RetentionOptions, 'isStopping'> & PlausibleTimeOptions & { pauseMs?: number },
): RetentionLoop {
  let failed: ReadonlySet<string> = new Set()
  let isStopping = false
  const timeOf = plausibleTime('retention', options)
  const work = async (own: OpenStore) => {
    if (retentions.length === 0) return
    const at = await timeOf(own)
    failed = await retireOld(retentions, { ...options, store: own, now: () => at, isStopping: () => isStopping })
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
