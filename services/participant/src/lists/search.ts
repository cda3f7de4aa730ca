import { type SQL, sql } from '@bursar/store'

/** A text as it is searched: two that differ in case alone are the same. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** The LIKE pattern that finds a text anywhere in a folded one. `%` and `_` in it mean themselves. */
export const anywhere = (text: string): string => `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`

/** A folded column that holds the text of a pattern made by `anywhere`. */
export const matches = (column: Parameters<typeof sql>[1], pattern: unknown): SQL =>
  sql`${column} like ${pattern} escape '\\'`
