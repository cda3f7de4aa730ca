import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * The form of a text for search and sorting, in which case makes no difference. Stored in a column of its own, because
 * SQLite folds only ASCII.
 */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The LIKE pattern that finds a text anywhere in a folded one. `%` and `_` in it mean themselves. */
export const anywhere = (text: string): string => `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`

/**
 * SQL: whether a column matches a pattern made by `anywhere`. The column must be folded, or have only ASCII letters
 * with case.
 */
export const matches = (column: SQLWrapper, pattern: Placeholder): SQL =>
  sql`lower(${column}) like ${pattern} escape '\\'`
