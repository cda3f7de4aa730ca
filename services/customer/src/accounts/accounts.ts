import { type AccountRecord, accountChanges } from '@bursar/contracts/account'
import type { Reconciliation } from '@bursar/http'
import { type ChangeMark, replica, rowsBy } from '@bursar/store'
import { accounts } from './accounts.table'

type AccountRow = typeof accounts.$inferSelect

/** Stores the replicas of accounts. */
export const accountReplicas = {
  changes: accountChanges,
  replica: replica('account', accounts),
  toRow: ({ account }: AccountRecord, { epoch, version }: ChangeMark): AccountRow => {
    return { id: account.id, customerId: account.customerId, epoch, version }
  },
} satisfies Reconciliation<typeof accountChanges.answer, AccountRow>

/** A customer's accounts, oldest first. */
export const accountsOf = rowsBy(accounts, 'customerId', 'id')
