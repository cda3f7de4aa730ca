import { type SQL, sql } from 'drizzle-orm'
import { dialect } from '../config'
import { param } from './statements'

/**
 * The database's clock, in milliseconds since 1970: the clocks of machines differ. `now`, a value of the statement, stands for
 * it where it is not null: for tests.
 */
export const databaseClock: SQL<number> = sql<number>`coalesce(cast(${param('now')} as bigint), ${
  dialect === 'sqlite'
    ? sql`cast(unixepoch('subsec') * 1000 as integer)`
    : sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
})`
