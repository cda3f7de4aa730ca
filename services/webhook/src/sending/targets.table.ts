import { boolean, index, integer, table, text, timestamp } from '@bursar/store/schema'

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
    /** When there is something to do; null for nothing. */
    dueAt: timestamp(),
    /** Failures in a row. */
    failures: integer().notNull(),
    /** Nothing is sent before: it failed too often, or asked for a pause. */
    pausedUntil: timestamp(),
    /** Its last answer took long, or failed: such targets have a share of the worker to themselves. */
    slow: boolean().notNull(),
    leasedBy: text(),
    leasedUntil: timestamp(),
  },
  (table) => [index('targets_due').on(table.slow, table.dueAt)],
)
