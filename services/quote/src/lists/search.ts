import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** A name as it is searched and sorted: two names that differ in case alone are the same. */
export const folded = (name: string): string => name.normalize('NFKC').toLowerCase()

/** The LIKE pattern that finds a text anywhere in a folded name. `%` and `_` in it mean themselves. */
export const anywhere = (text: string): string => `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`

/** A folded column that holds the text of a pattern made by `anywhere`. */
export const matches = (column: SQLWrapper, pattern: Placeholder): SQL => sql`${column} like ${pattern} escape '\\'`
