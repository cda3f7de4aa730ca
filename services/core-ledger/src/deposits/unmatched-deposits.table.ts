import type { ConfirmedDeposit } from '@bursar/contracts/blockchain'
import { json, table, text, timestamp } from '@bursar/store/schema'

/** Deposits on a chain that are credited to no account yet: their asset or account is not known here, or differs. */
export const unmatchedDeposits = table('unmatched_deposits', {
  id: text().primaryKey(),
  deposit: json<ConfirmedDeposit>().notNull(),
  reason: text().notNull(),
  createdAt: timestamp().notNull(),
})
