import type { Account } from '@bursar/contracts/account'
import { asc, type Db, eq, param, prepared } from '@bursar/store'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

/** The replicas of a customer's accounts, oldest first. */
export const accountsOf = (db: Db, customerId: string): Promise<AccountRow[]> =>
  accountsByCustomer(db).execute({ customerId })

/** The record as the account service returns it. */
export const toAccount = ({ participantId, epoch, version, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

const accountsByCustomer = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
    .orderBy(asc(accounts.id)),
)
