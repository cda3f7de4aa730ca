import { index, integer, primaryKey, table, text } from '@bursar/store/schema'
import type { PaymentStatus, PaymentType } from '../payments/states'

/**
 * How many payments there are, so that a page knows its total without counting a million rows: for each pair of sender
 * and receiver ('' for outside), and for all together ('*' in both places), by type, status and currency.
 */
export const paymentCounts = table(
  'payment_counts',
  {
    fromId: text().notNull(),
    toId: text().notNull(),
    type: text().$type<PaymentType>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    currency: text().notNull(),
    payments: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fromId, table.toId, table.type, table.status, table.currency] }),
    index('payment_counts_to').on(table.toId, table.fromId),
  ],
)

/** Moves that the counts do not hold yet; a worker folds them in. A commit appends, so that commits do not meet in one row. */
export const uncountedMoves = table('uncounted_moves', {
  seq: integer().primaryKey({ autoIncrement: true }),
  fromId: text().notNull(),
  toId: text().notNull(),
  type: text().$type<PaymentType>().notNull(),
  currency: text().notNull(),
  /** Null for a new payment. */
  fromStatus: text().$type<PaymentStatus>(),
  toStatus: text().$type<PaymentStatus>().notNull(),
})
