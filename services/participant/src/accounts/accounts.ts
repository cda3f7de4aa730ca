import type { Account, AccountState } from '@bursar/contracts/account'
import type { RecordStatus } from '@bursar/contracts/customer'
import { and, asc, type Db, eq, param, params, prepared, sql, type Tx } from '@bursar/store'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

/** Keeps what the account service said, unless something newer is known. */
export async function keepAccount(tx: Tx, { account, version }: Omit<AccountState, 'participantId'>): Promise<void> {
  const createdAt = new Date(account.createdAt)
  await upsertAccount(tx).execute({ ...account, version, createdAt } satisfies AccountRow)
}

/** The copy of one account. */
export async function findAccount(connection: Db, id: string): Promise<AccountRow | undefined> {
  const [row] = await accountById(connection).execute({ id })
  return row
}

/** The copies of a customer's accounts, oldest first. */
export const accountsOf = (connection: Db, customerId: string): Promise<AccountRow[]> =>
  accountsByCustomer(connection).execute({ customerId })

/** As `keepCustomerStatus`: a status that was set before its event is here, onto the version known before. */
export async function keepAccountStatus(tx: Tx, id: string, version: number, status: RecordStatus): Promise<void> {
  await setStatus(tx).execute({ id, version, status })
}

/** The copy as the account service would show it. */
export const toAccount = ({ version, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

const accountById = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(eq(accounts.id, param('id'))),
)
const accountsByCustomer = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
    .orderBy(asc(accounts.id)),
)
const upsertAccount = prepared((db) =>
  db
    .insert(accounts)
    .values(params(accounts))
    .onConflictDoUpdate({
      target: accounts.id,
      set: { status: sql`excluded.status`, version: sql`excluded.version` },
      setWhere: sql`excluded.version > ${accounts.version}`,
    }),
)
const setStatus = prepared((db) =>
  db
    .update(accounts)
    .set({ status: param('status') })
    .where(and(eq(accounts.id, param('id')), eq(accounts.version, param('version')))),
)
