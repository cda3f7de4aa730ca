// Rows that may be large: how many are read at once is a matter of their bytes.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The bytes of a text, which is not read for that. */
export const bytesOf = (column: SQLWrapper): SQL<number> => sql<number>`octet_length(${column})`.mapWith(Number)

/** How many of the first rows have at most so many bytes together, 1 at least; `limit` where all of them do. */
export function fitting(rows: readonly { bytes: number }[], mostBytes: number, limit: number): number {
  let sum = 0
  const first = rows.findIndex(({ bytes }) => {
    sum += bytes
    return sum > mostBytes
  })
  return first < 0 ? limit : Math.max(1, first)
}
