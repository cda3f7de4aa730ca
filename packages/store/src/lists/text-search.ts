import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * A text as it is searched and sorted: two that differ in case alone are the same. Stored in a column of its own, for
 * SQLite's own folding knows ASCII alone.
 */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The LIKE pattern that finds a text anywhere in a folded one. `%` and `_` in it mean themselves. */
export const anywhere = (text: string): string => `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`

/** A column that holds the text of a pattern made by `anywhere`: a folded one, or one in which ASCII letters are all that has case. */
export const matches = (column: SQLWrapper, pattern: Placeholder): SQL =>
  sql`lower(${column}) like ${pattern} escape '\\'`
