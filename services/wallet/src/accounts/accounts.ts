import { type AccountRecord, type AccountState, accountChanges, getAccountState } from '@bursar/contracts/account'
import type { Client, Reconciliation } from '@bursar/http'
import {
  and,
  byKey,
  type ChangeMark,
  type Db,
  inArray,
  isNotNull,
  queryAmong,
  replica,
  rowBy,
  type Store,
  type Tx,
} from '@bursar/store'
import { fail } from '../errors'
import { accounts } from './accounts.table'

export type AccountRow = typeof accounts.$inferSelect

const copies = replica('account', accounts)

/** The replica of the account service's accounts. */
export const accountReplicas = {
  changes: accountChanges,
  replica: copies,
  toRow: ({ account, participantId }: AccountRecord, { epoch, version }: ChangeMark): AccountRow => {
    const { id, walletAccountId, type, status } = account
    return { id, participantId, walletAccountId, type, status, epoch, version }
  },
} satisfies Reconciliation<typeof accountChanges.answer, AccountRow>

/** Stores a state of an account from the account service, unless a newer one is stored. */
export const keepAccount = (tx: Tx, state: AccountState): Promise<unknown> =>
  copies.upsert(tx, accountReplicas.toRow(state, state))

/**
 * An account; without a replica it is fetched. Undefined when there is none; rejects with CallError when the account
 * service is unreachable.
 */
export async function askedAccount(
  { store, client }: { store: Store; client: Client },
  id: string,
): Promise<AccountRow | undefined> {
  const known = await accountById(store.read, id)
  if (known) return known
  const state = await client.find(getAccountState, { params: { id } })
  if (!state) return undefined
  await store.commit((tx) => keepAccount(tx, state))
  return accountReplicas.toRow(state, state)
}

/** The same for a required account: 404 when there is none. */
export async function requireAccount(
  deps: { store: Store; client: Client },
  id: string,
  message = `Account ${id} not found`,
): Promise<AccountRow> {
  const account = await askedAccount(deps, id)
  if (!account) throw fail('NOT_FOUND', { message })
  return account
}

/** A participant's own accounts: omnibus and fee payer. */
export async function ownAccountIds(store: Store, participantId: string): Promise<string[]> {
  const rows = await ownAccounts(store.read).execute({ participantId })
  return rows.map(({ id }) => id)
}

/** The participants that own these accounts; accounts of customers are omitted. */
export async function ownersOf(db: Db, accountIds: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await ownedAmong(db, accountIds)
  return new Map(rows.map(({ id, participantId }) => [id, participantId]))
}

const ownedAmong = queryAmong(
  (ids) => (db) =>
    db
      .select({ id: accounts.id, participantId: accounts.participantId })
      .from(accounts)
      .where(and(inArray(accounts.id, ids), isNotNull(accounts.participantId))),
)
const accountById = rowBy(accounts, 'id')
const ownAccounts = byKey(accounts, 'participantId')
