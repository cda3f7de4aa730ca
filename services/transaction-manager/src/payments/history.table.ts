import { index, integer, json, table, text, timestamp } from '@bursar/store/schema'
import type { FieldChange } from './payments.model'
import type { PaymentStatus } from './states'

/**
 * Every change of a payment's status, including its creation: who, when, from and to which status, and why. A change of
 * details is a row whose two statuses are the same. Never changed.
 */
export const history = table(
  'history',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    paymentId: text().notNull(),
    /** Null for the creation. */
    fromStatus: text().$type<PaymentStatus>(),
    toStatus: text().$type<PaymentStatus>().notNull(),
    comment: text(),
    /** Null for changes of status. */
    changes: json<FieldChange[]>(),
    /** `user 0190…`, `participant …`, `service …`; null for an anonymous caller. */
    movedBy: text(),
    movedAt: timestamp().notNull(),
  },
  (table) => [index('history_payment').on(table.paymentId, table.seq)],
)
