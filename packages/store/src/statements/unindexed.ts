import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { dialect } from '../config'

/**
 * The value of a column, in a form that no index answers: the other conditions decide what a statement scans. SQLite plans
 * without knowing how many rows a value has, and takes an index that gives more of them, or whose rows must be sorted. A server
 * knows.
 */
export const unindexed = <T>(value: SQLWrapper): SQL<T> => (dialect === 'sqlite' ? sql<T>`+${value}` : sql<T>`${value}`)

/**
 * A condition that is tested on the rows that others find, and never leads to rows itself. Unlike `unindexed` on a server too:
 * that guesses how many rows meet it, and where it guesses far too few it sorts a large part of a table for one page.
 */
export const tested = (condition: SQL): SQL => sql`(${condition}) is true`
