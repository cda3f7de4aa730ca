// Who only reads keeps no place in the database. It goes through the rows of a table that only grows all the same, each once.
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

/** All rows of the table; none of them is ever deleted. */
export type ReadSource = Pick<Source, 'number'>

export interface RowReader {
  /**
   * Gives `read` the numbers of the next rows, at most so many and those that were committed late; these are first, so that no
   * row comes before one on which its commit relied. `db` must be a snapshot. Gives how many there were; they count as
   * read when `read` has ended well.
   */
  next(db: Db, most: number, read: ReadRows): Promise<number>
  /** The same of the newest state; as a snapshot only where rows may be committed late, because a snapshot waits for the disk. */
  nextNow(source: Pick<Store, 'read' | 'snapshot'>, most: number, read: (db: Db) => ReadRows): Promise<number>
}

type ReadRows = (numbers: Ranges) => Promise<void>

/** A reader that begins with the first row. */
export const rowReader = (source: ReadSource): RowReader =>
  dialect === 'sqlite' ? orderedReader(source) : lateReader(source)

/** Rows that are committed in the order of their numbers: each number that was ever given, also of rows that were erased. */
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

/** A transaction that has drawn a number ends within seconds: after so long nobody will commit it. */
const lateMs = 120_000

/** Rows that may be committed after others with higher numbers: those that were missing are looked for again. */
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
  /** By number: since when it is missing. */
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
