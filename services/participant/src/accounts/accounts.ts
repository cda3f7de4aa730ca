import type { Account } from '@bursar/contracts/account'
import { asc, inArray, queryAmong, rowsBy } from '@bursar/store'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

/** The replicas of a customer's accounts, oldest first. */
export const accountsOf = rowsBy(accounts, 'customerId', 'id')

/** Those of many customers, the oldest of each first. */
export const accountsOfAll = queryAmong(
  (customerIds) => (db) =>
    db
      .select()
      .from(accounts)
      .where(inArray(accounts.customerId, customerIds))
      .orderBy(asc(accounts.customerId), asc(accounts.id)),
)

/** The record as the account service returns it. */
export const toAccount = ({ participantId, epoch, version, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})
