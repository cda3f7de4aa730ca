import type { NewAccount } from '@bursar/contracts/account'
import { getWalletAccount } from '@bursar/contracts/wallet'
import type { Client, Deps } from '@bursar/http'
import { type Db, newId, rowBy, type Tx } from '@bursar/store'
import { type CustomerRow, requireCustomer } from '../customers/customers'
import { fail } from '../errors'
import { type AccountRow, addAccount } from './accounts'
import { accounts } from './accounts.table'

/**
 * The customer of an account to be created; null when it names none. Fails when one of the account's own ids is taken
 * (409), when its customer or wallet account does not exist (404), and with a CallError when their services cannot
 * answer.
 */
export async function checkNewAccount(
  { store, client }: Pick<Deps, 'store' | 'client'>,
  input: NewAccount,
): Promise<CustomerRow | null> {
  // Checked before other services are called, and again by the write, because a concurrent request may come first.
  await refuseTaken(store.read, input)
  const customer = await requireCustomer({ store, client }, input)
  if (input.walletAccountId !== undefined) await requireWalletAccount(client, input.walletAccountId)
  return customer
}

/** Stores a new account with both ids of its customer. Fails (409) when one of its own ids is taken. */
export async function createAccount(
  tx: Tx,
  input: NewAccount,
  customer: CustomerRow | null,
  now: Date,
): Promise<AccountRow> {
  await refuseTaken(tx, input)
  const row: AccountRow = {
    id: newId(),
    customerId: customer?.id ?? null,
    customerExternalId: customer?.externalId ?? null,
    walletAccountId: input.walletAccountId ?? null,
    accountExternalId: input.accountExternalId ?? null,
    type: input.type,
    status: input.status,
    name: input.name,
    customerName: input.customerName ?? null,
    participantId: null,
    createdAt: now,
  }
  if (!(await addAccount(tx, row))) throw fail('CONFLICT')
  return row
}

async function refuseTaken(db: Db, { accountExternalId, walletAccountId }: NewAccount): Promise<void> {
  if (accountExternalId && (await accountByExternalId(db, accountExternalId))) {
    throw fail('CONFLICT', { message: `An account with accountExternalId ${accountExternalId} already exists` })
  }
  if (walletAccountId && (await accountByWallet(db, walletAccountId))) {
    throw fail('CONFLICT', { message: `An account with walletAccountId ${walletAccountId} already exists` })
  }
}

async function requireWalletAccount(client: Client, walletAccountId: string): Promise<void> {
  if (await client.find(getWalletAccount, { params: { walletAccountId } })) return
  throw fail('NOT_FOUND', { message: `The wallet service knows no account ${walletAccountId}` })
}

const accountByExternalId = rowBy(accounts, 'accountExternalId')
const accountByWallet = rowBy(accounts, 'walletAccountId')
