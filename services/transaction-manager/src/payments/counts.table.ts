import { integer, primaryKey, table, text } from '@bursar/store/schema'
import type { PaymentStatus, PaymentType } from './states'

/**
 * How many payments there are, so that a page knows its total without counting a million rows: by type, status and
 * currency, for each sender, each receiver and each pair of them, and for all. `*` in a place stands for anybody.
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
  (table) => [primaryKey({ columns: [table.fromId, table.toId, table.type, table.status, table.currency] })],
)

/** Moves that the counts do not hold yet; a worker folds them in. A commit appends, so that commits do not meet in one row. */
export const uncountedMoves = table('uncounted_moves', {
  seq: integer().primaryKey({ autoIncrement: true }),
  /** Null for outside. */
  fromId: text(),
  toId: text(),
  type: text().$type<PaymentType>().notNull(),
  currency: text().notNull(),
  /** Null for a new payment. */
  fromStatus: text().$type<PaymentStatus>(),
  toStatus: text().$type<PaymentStatus>().notNull(),
})
