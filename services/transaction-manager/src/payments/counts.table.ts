import { integer, primaryKey, table, text } from '@bursar/store/schema'
import type { PaymentStatus, PaymentType } from './states'

/**
 * The numbers of payments, so that a page has its total without counting a million rows: by type, status and
 * currency, for each sender, each receiver and each pair of them, and for all. `*` means any participant.
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

/**
 * Changes not yet in the counts; a worker folds them in. Commits append rows, so that they do not contend for one row.
 */
export const uncountedMoves = table('uncounted_moves', {
  seq: integer().primaryKey({ autoIncrement: true }),
  /** Null for an external party. */
  fromId: text(),
  toId: text(),
  type: text().$type<PaymentType>().notNull(),
  currency: text().notNull(),
  /** Null for a new payment. */
  fromStatus: text().$type<PaymentStatus>(),
  toStatus: text().$type<PaymentStatus>().notNull(),
})
