import { table, text, timestamp } from '@bursar/store/schema'

/** The outcome of each withdrawal order that the blockchain service has passed on. */
export const orderedWithdrawals = table('ordered_withdrawals', {
  /** The order's id at the blockchain service. */
  id: text().primaryKey(),
  /** The withdrawal that the order created; null if it was refused. */
  transactionId: text(),
  /** Why the order was refused for good; null if it was not. */
  refusal: text(),
  createdAt: timestamp().notNull(),
})
