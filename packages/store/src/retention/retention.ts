// Rows of a table that leave it when they are old: they are kept in an archive first, then deleted in small commits.
import type { OpenStore } from '../engine/open-store'
import type { Store } from '../engine/store'
import type { Db, Tx } from '../statements/statements'
import { every, type Worker } from '../work/every'
import { type Archive, folderArchive } from './archive'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Rows that leave a table by their age. */
export interface Retained<R extends object> {
  /** The table's name, and that of its archive. */
  table: string
  /** The oldest rows from before a moment, oldest first, at most so many; found by an index. */
  oldest(db: Db, given: { before: Date; limit: number }): Promise<R[]>
  /** What names a row: its time and its key. */
  named(row: R): { at: Date; key: string }
  /** The row as the archive is to have it. */
  archived(row: R): object
  /** Deletes these rows, and takes them out of what counts them. One that must stay by now is left. */
  remove(tx: Tx, rows: readonly R[]): Promise<void>
}

/** Rows of one file of the archive, and of one commit that deletes. */
const sizes = { together: 5000, deleted: 200 }

/**
 * Archives and deletes the rows from before a moment. A crash between the two leaves rows in both places: the next run keeps
 * them again, so that an archive may have a row twice, and never misses one. Gives the number of rows that left.
 */
export async function retire<R extends object>(
  store: Store,
  { table, oldest, named, archived, remove }: Retained<R>,
  { before, archive, isStopping }: { before: Date; archive: Archive | null; isStopping?: () => boolean },
  { together, deleted } = sizes,
): Promise<number> {
  let gone = 0
  let last: string | null = null
  for (;;) {
    const rows: R[] = await oldest(store.read, { before, limit: together })
    const [first] = rows
    // The same row again: it must stay, and there is nothing after it that the last run has not seen.
    if (!first || named(first).key === last) return gone
    last = named(first).key
    await archive?.keep(table, rows.map(archived), named(first))
    for (let from = 0; from < rows.length; from += deleted) {
      if (isStopping?.()) return gone
      const some = rows.slice(from, from + deleted)
      await store.commit((tx) => remove(tx, some))
      gone += some.length
    }
    if (rows.length < together) return gone
  }
}

/** What a service lets go of, and when. */
export interface RetentionOptions<R extends object> {
  store: OpenStore
  retained: Retained<R>
  /** 0 keeps the rows for ever. */
  days: number
  /** The folder of the service's archives; null deletes without one. */
  folder: string | null
  now: () => Date
  /** True once the service stops: a long run ends early, and the next start goes on. */
  isStopping?: () => boolean
}

/** Lets rows go every hour; the first time a minute after the start. */
export function startRetiring<R extends object>(options: RetentionOptions<R>): Worker[] {
  const { store, retained, days } = options
  if (days === 0) return []
  const name = `The retention of ${retained.table}`
  let isStopping = false
  const work = (own: OpenStore) => retireOld({ ...options, store: own, isStopping: () => isStopping })
  const loop = every(hourMs, work, { log: store.log, name, firstMs: 60_000, alone: store })
  const stop = () => {
    isStopping = true
    return loop.stop()
  }
  return [{ ...loop, stop }]
}

/** Lets go of what is old enough now. */
export async function retireOld<R extends object>(options: RetentionOptions<R>): Promise<void> {
  const { store, retained, days, folder, now, isStopping } = options
  if (days === 0) return
  const before = new Date(now().getTime() - days * dayMs)
  const archive = folder === null ? null : folderArchive(folder)
  const rows = await retire(store, retained, { before, archive, isStopping })
  if (rows > 0) store.log.info({ table: retained.table, rows, before, folder }, 'Old rows have left the database')
}
