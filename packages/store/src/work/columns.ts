import { integer, text, timestamp } from '../schema/columns'

/**
 * The columns of a table whose rows are work (queue.ts). `...work()` in the table; its index is
 * `index('x_due').on(table.dueAt).where(sql`${table.dueAt} is not null`)`, with the lane's column before `dueAt` where
 * there is one: no query of a queue reads work that has ended.
 */
export const work = () => ({
  /** When it is due; while it is leased, the end of the lease. Null when there is nothing to do. */
  dueAt: timestamp(),
  /** The end of the lease; null while it is not leased. */
  leasedUntil: timestamp(),
  /** Attempts that failed since the last progress. */
  attempts: integer().notNull(),
  /** Why the last attempt failed; null when it did not. */
  lastError: text(),
})

/** The columns of work that waits since `dueAt`. */
export const waitingSince = (dueAt: Date) => ({ dueAt, leasedUntil: null, attempts: 0, lastError: null })
