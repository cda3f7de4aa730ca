// For readers that cannot store a place in the database: goes through the rows of a table that only grows, each once.
import { inArray } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { dialect } from '../config'
import type { Store } from '../engine/store'
import type { changes, Ranges } from '../schema/shared.table'
import { queryAmong } from '../statements/among'
import { highestGiven } from '../statements/highest-given'
import type { Db } from '../statements/statements'
import type { Source } from './follower'
import { numbersAfter } from './places'
import { rangesOf } from './ranges'

/** A table whose rows are never deleted. */
type ReadSource = Pick<Source, 'number'>

export interface RowReader {
  /**
   * Calls `read` with the numbers of the next rows, at most `most` and those that were committed late; late ones come
   * first, so that no row precedes one on which its commit relied. `db` must be a snapshot. Returns how many there
   * were; they count as read once `read` resolves.
   */
  next(db: Db, most: number, read: ReadRows): Promise<number>
  /**
   * The same on the newest state; in a snapshot only if rows may be committed late, because a snapshot waits for the
   * disk.
   */
  nextNow(source: Pick<Store, 'read' | 'snapshot'>, most: number, read: (db: Db) => ReadRows): Promise<number>
}

type ReadRows = (numbers: Ranges) => Promise<void>

/** A reader that begins with the first row. */
export const rowReader = (source: ReadSource): RowReader =>
  dialect === 'sqlite' ? orderedReader(source) : lateReader(source)

/** For rows committed in the order of their numbers: every number ever assigned, also of deleted rows. */
function orderedReader({ number }: ReadSource): RowReader {
  let place = 0
  const reader: RowReader = {
    async next(db, most, read) {
      const last = Math.min(await highestGiven(db, number.table as SQLiteTable), place + most)
      if (last <= place) return 0
      await read([[place + 1, last]])
      const count = last - place
      place = last
      return count
    },
    nextNow: ({ read: db }, most, read) => reader.next(db, most, read(db)),
  }
  return reader
}

/** A transaction that has drawn a number ends within seconds: a number missing for this long is never committed. */
const lateMs = 120_000

/** For rows that may be committed after others with higher numbers: missing numbers are looked for again. */
export function lateReader({ number }: ReadSource, now = () => performance.now()): RowReader {
  const after = numbersAfter({ number })
  const among = queryAmong((numbers) => (db) => {
    const column = number as typeof changes.seq
    return db
      .select({ number: column })
      .from(number.table as SQLiteTable)
      .where(inArray(column, numbers))
  })
  let place = 0
  /** Missing numbers, and since when. */
  const missing = new Map<number, number>()

  const reader: RowReader = {
    async next(db, most, read) {
      for (const [number, since] of missing) if (now() - since > lateMs) missing.delete(number)
      const late = await among(db, [...missing.keys()])
      const rows = [...late, ...(await after(db).execute({ after: place, limit: most }))].map((row) => row.number)
      if (rows.length === 0) return 0
      await read(rangesOf(rows))
      for (const { number } of late) missing.delete(number)
      for (const number of rows.slice(late.length)) {
        for (let each = place + 1; each < number; each++) missing.set(each, now())
        place = number
      }
      return rows.length
    },
    nextNow: ({ snapshot }, most, read) => snapshot((db) => reader.next(db, most, read(db))),
  }
  return reader
}
