import { count, type SQL, sql, type Table } from 'drizzle-orm'
import type { Db } from '../statements/statements'

/** Lists are counted up to here: a longer count blocks all other requests, and its exact value helps nobody. */
export const mostCounted = 100_000

/** Counts the rows that meet a condition: at most one more than `mostCounted`. */
export const countUpTo = (db: Db, from: Table, where: SQL | undefined) =>
  db.select({ total: count() }).from(
    db
      .select({ one: sql`1`.as('one') })
      .from(from)
      .where(where)
      .limit(mostCounted + 1)
      .as('counted'),
  )
