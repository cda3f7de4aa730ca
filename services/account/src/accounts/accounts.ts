import { type Account, AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import type { StatusChange } from '@bursar/contracts/customer'
import { emit, eq, param, params, prepared, type Store, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

/** Stores a new account and says so. False, and nothing is stored, when one of its unique ids is taken. */
export async function addAccount(tx: Tx, row: AccountRow): Promise<boolean> {
  const [stored] = await insertAccount(tx).execute(row)
  if (stored) await emit(tx, AccountCreated, toState(row), row.createdAt)
  return stored !== undefined
}

/** Sets the status; the one that it has already changes nothing. Fails when there is no such account. */
export const changeAccount = (store: Store, id: string, { status }: StatusChange, now = new Date()): Promise<Account> =>
  store.commit(async (tx) => {
    const [before] = await accountById(tx).execute({ id })
    if (!before) throw fail('NOT_FOUND')
    if (before.status === status) return toAccount(before)
    const row: AccountRow = { ...before, status, version: before.version + 1 }
    await updateStatus(tx).execute({ id, status, version: row.version })
    await emit(tx, AccountUpdated, toState(row), now)
    return toAccount(row)
  })

/** Fails when there is no such account. */
export async function getAccountState(store: Store, id: string): Promise<AccountState> {
  const [row] = await accountById(store.read).execute({ id })
  if (!row) throw fail('NOT_FOUND')
  return toState(row)
}

/** Fails when there is no such account. */
export const getAccount = async (store: Store, id: string): Promise<Account> =>
  (await getAccountState(store, id)).account

/** The record as it goes out. */
export const toAccount = ({ participantId, version, createdAt, ...row }: AccountRow): Account => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

const toState = (row: AccountRow): AccountState => ({
  account: toAccount(row),
  participantId: row.participantId,
  version: row.version,
})

const insertAccount = prepared((db) =>
  db.insert(accounts).values(params(accounts)).onConflictDoNothing().returning({ id: accounts.id }),
)
const accountById = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(eq(accounts.id, param('id'))),
)
const updateStatus = prepared((db) =>
  db
    .update(accounts)
    .set({ status: param('status'), version: param('version') })
    .where(eq(accounts.id, param('id'))),
)
