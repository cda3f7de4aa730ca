import { type AccountRecord, accountChanges } from '@bursar/contracts/account'
import type { Reconciliation } from '@bursar/http'
import { asc, type ChangeMark, type Db, eq, param, prepared, replica } from '@bursar/store'
import { accounts } from './accounts.table'

type AccountRow = typeof accounts.$inferSelect

/** Stores the replicas of accounts. */
export const accountReplicas = {
  changes: accountChanges,
  replica: replica('account', accounts),
  toRow: ({ account: { id, customerId } }: AccountRecord, { epoch, version }: ChangeMark): AccountRow => ({
    id,
    customerId,
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof accountChanges.answer, AccountRow>

/** The ids of a customer's accounts, oldest first. */
export async function accountIdsOf(db: Db, customerId: string): Promise<string[]> {
  const rows = await accountsOfCustomer(db).execute({ customerId })
  return rows.map(({ id }) => id)
}

const accountsOfCustomer = prepared((db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
    .orderBy(asc(accounts.id)),
)
