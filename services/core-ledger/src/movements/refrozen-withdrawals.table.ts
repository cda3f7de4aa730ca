import { table, text, timestamp } from '@bursar/store/schema'

/** Approved withdrawals that were frozen again, for their destination was listed before they were signed. */
export const refrozenWithdrawals = table('refrozen_withdrawals', {
  transactionId: text().primaryKey(),
  reason: text().notNull(),
  /** Up to when lists are answered for by the review that followed. */
  listedAt: timestamp().notNull(),
})
