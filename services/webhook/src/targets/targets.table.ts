import { index, integer, sql, table, text, timestamp, work } from '@bursar/store/schema'

/** `slow`: its last answer took long, or it failed. */
export type Pace = 'quick' | 'slow'

/**
 * The queues of deliveries: one per endpoint, and per fallback URL and institution. One worker at a time leases a queue,
 * and sends one delivery at a time.
 */
export const targets = table(
  'targets',
  {
    id: text().primaryKey(),
    /** Null for a fallback URL. */
    endpointId: text(),
    /** The lane: slow targets get a share of the places. */
    pace: text().$type<Pace>().notNull(),
    ...work(),
    /** Consecutive failed deliveries; `attempts` counts failures of this service itself. */
    failures: integer().notNull(),
    /** Nothing is sent before this time, after too many failures or a requested pause. */
    pausedUntil: timestamp(),
  },
  (table) => [
    index('targets_due').on(table.pace, table.dueAt).where(sql`${table.dueAt} is not null`),
    index('targets_paused').on(table.pausedUntil).where(sql`${table.pausedUntil} is not null`),
  ],
)
