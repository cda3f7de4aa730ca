import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { dialect } from '../config'

/**
 * The value of a column in a form that no index answers, so that the other conditions decide what is scanned. SQLite
 * plans without knowing how many rows a value has, and may choose an index that returns more of them, or whose rows
 * must be sorted. A server has statistics.
 */
export const unindexed = <T>(value: SQLWrapper): SQL<T> => (dialect === 'sqlite' ? sql<T>`+${value}` : sql<T>`${value}`)

/**
 * A condition that is only tested on rows found by others, also on a server: the server guesses how many rows meet it,
 * and if that is far too few, it sorts a large part of a table for one page.
 */
export const tested = (condition: SQL): SQL => sql`(${condition}) is true`
