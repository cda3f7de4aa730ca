import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'

/**
 * A row's place in the order in which the rows of a table were committed, for a table whose rows never go away. A place
 * is never reused: it is SQLite's rowid, higher than all others when it is assigned. (VACUUM keeps the rowids of tables that
 * have an index.) A database without rowids needs a column for it.
 */
export const placeIn = (table: SQLiteTable): SQL<number> => sql<number>`${table}.rowid`.mapWith(Number)
