import { and, byKey, type Db, eq, insertMissing, isNull, newId, param, prepared, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { walletAccounts } from './wallet-accounts.table'
import type { WalletAccount } from './wallets.model'

type WalletAccountRow = typeof walletAccounts.$inferSelect

/** Creates a wallet account for an account that is created later. */
export async function createWalletAccount(tx: Tx, now: Date): Promise<WalletAccountRow> {
  const row: WalletAccountRow = { id: newId(), accountId: null, createdAt: now }
  await insertWalletAccounts(tx, [row])
  return row
}

/** Fails when there is no such wallet account. */
export async function getWalletAccount(db: Db, id: string): Promise<WalletAccountRow> {
  const [row] = await walletAccountById(db).execute({ id })
  if (!row) throw fail('NOT_FOUND', { message: `Wallet account ${id} not found` })
  return row
}

/** Assigns a wallet account to an account, permanently. Fails when it belongs to another one. */
export async function assignWalletAccount(tx: Tx, id: string, accountId: string, now: Date): Promise<void> {
  await insertWalletAccounts(tx, [{ id, accountId, createdAt: now }])
  await assign(tx).execute({ id, accountId })
  const [row] = await walletAccountById(tx).execute({ id })
  if (row?.accountId !== accountId) throw fail('CONFLICT')
}

/** The record as the API returns it. */
export const toWalletAccount = ({ id, accountId, createdAt }: WalletAccountRow): WalletAccount => ({
  walletAccountId: id,
  accountId,
  createdAt: createdAt.toISOString(),
})

const insertWalletAccounts = insertMissing(walletAccounts)
const walletAccountById = byKey(walletAccounts, 'id')
const assign = prepared((db) =>
  db
    .update(walletAccounts)
    .set({ accountId: param('accountId') })
    .where(and(eq(walletAccounts.id, param('id')), isNull(walletAccounts.accountId))),
)
