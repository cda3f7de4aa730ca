import { table, text, timestamp } from '@bursar/store/schema'

/** Approved withdrawals that were frozen again, for their destination was listed before they were signed. */
export const refrozenWithdrawals = table('refrozen_withdrawals', {
  transactionId: text().primaryKey(),
  reason: text().notNull(),
  /** Lists up to this time are covered by the review that followed. */
  listedAt: timestamp().notNull(),
})
