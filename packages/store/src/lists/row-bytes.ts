// Rows that may be large: their bytes decide how many are read at once.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The bytes of a text, without reading it. */
export const bytesOf = (column: SQLWrapper): SQL<number> => sql<number>`octet_length(${column})`.mapWith(Number)

/** How many of the first rows have at most `mostBytes` together, at least 1; `limit` if all of them do. */
export function fitting(rows: readonly { bytes: number }[], mostBytes: number, limit: number): number {
  let sum = 0
  const first = rows.findIndex(({ bytes }) => {
    sum += bytes
    return sum > mostBytes
  })
  return first < 0 ? limit : Math.max(1, first)
}
