import { table, text, timestamp } from '@bursar/store/schema'

/** What has become of each order of a withdrawal that the blockchain service has passed on. */
export const orderedWithdrawals = table('ordered_withdrawals', {
  /** The order's id at the blockchain service. */
  id: text().primaryKey(),
  /** The withdrawal that it made; null when it was refused. */
  transactionId: text(),
  /** Why it was refused for good; null when it was not. */
  refusal: text(),
  createdAt: timestamp().notNull(),
})
