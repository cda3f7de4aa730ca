import type { Account } from '@bursar/contracts/account'
import { asc, type Db, inArray, queryAmong, rowBy, rowsBy } from '@bursar/store'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

export const findAccount = rowBy(accounts, 'id')

/** The replicas of the accounts of customers, the oldest of each first. */
export const accountsOfAll = queryAmong(
  (customerIds) => (db) =>
    db
      .select()
      .from(accounts)
      .where(inArray(accounts.customerId, customerIds))
      .orderBy(asc(accounts.customerId), asc(accounts.id)),
)

/** A participant's own accounts: null while they are not known. After a restore the newest ones count. */
export async function ownAccountsOf(db: Db, participantId: string) {
  const own = await accountsOfParticipant(db, participantId)
  const idOf = (type: AccountRow['type']) => own.findLast((account) => account.type === type)?.id ?? null
  return { omnibusAccountId: idOf('OMNIBUS'), feePayerAccountId: idOf('FEE_PAYER') }
}

const accountsOfParticipant = rowsBy(accounts, 'participantId', 'epoch')

/** The record as the account service returns it. */
export const toAccount = ({ participantId, epoch, version, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})
