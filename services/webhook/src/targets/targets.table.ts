import { index, integer, sql, table, text, timestamp, work } from '@bursar/store/schema'

/** `slow`: its last answer took long, or it failed. */
export type Pace = 'quick' | 'slow'

/**
 * Where deliveries queue: one for each endpoint, and for each fallback URL (`url:https://…`). One worker at a time holds
 * it, and sends one delivery at a time.
 */
export const targets = table(
  'targets',
  {
    id: text().primaryKey(),
    /** Null for a fallback URL. */
    endpointId: text(),
    /** The lane: slow ones have a share of the places. */
    pace: text().$type<Pace>().notNull(),
    ...work(),
    /** Deliveries that failed in a row; `attempts` counts failures of this service itself. */
    failures: integer().notNull(),
    /** Nothing is sent before: it failed too often, or asked for a pause. */
    pausedUntil: timestamp(),
  },
  (table) => [
    index('targets_due').on(table.pace, table.dueAt).where(sql`${table.dueAt} is not null`),
    index('targets_paused').on(table.pausedUntil).where(sql`${table.pausedUntil} is not null`),
  ],
)
