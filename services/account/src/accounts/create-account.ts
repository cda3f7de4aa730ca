import type { Account, NewAccount } from '@bursar/contracts/account'
import { getWalletAccount } from '@bursar/contracts/wallet'
import { CallError, type Client, failedCall } from '@bursar/http'
import { type Db, eq, param, prepared, type Store } from '@bursar/store'
import { findCustomer, keepCustomer } from '../customers/customers'
import { fail } from '../errors'
import { type AccountRow, addAccount, toAccount } from './accounts'
import { accounts } from './accounts.table'

/**
 * Stores a new account. Whichever of its customer's two ids is given, the account gets both. Fails when one of its own
 * ids is taken (409), when its customer or wallet account does not exist (404), and when that cannot be found out
 * (502, 503, 504).
 */
export async function createAccount(
  store: Store,
  client: Client,
  input: NewAccount,
  now = new Date(),
): Promise<Account> {
  const { accountExternalId = null, walletAccountId = null } = input
  // Before anybody else is asked; and again inside the write, for others may have been faster.
  await refuseTaken(store.read, accountExternalId, walletAccountId)
  const customer = await findCustomer(store.read, client, input)
  if (walletAccountId !== null) await checkWalletAccount(client, walletAccountId)
  return await store.commit(async (tx) => {
    if (customer) await keepCustomer(tx, customer)
    await refuseTaken(tx, accountExternalId, walletAccountId)
    const row: AccountRow = {
      id: Bun.randomUUIDv7(),
      customerId: customer?.id ?? null,
      customerExternalId: customer?.externalId ?? null,
      walletAccountId,
      accountExternalId,
      type: input.type,
      status: input.status,
      name: input.name,
      customerName: input.customerName ?? null,
      participantId: null,
      version: 1,
      createdAt: now,
    }
    if (!(await addAccount(tx, row))) throw fail('CONFLICT')
    return toAccount(row)
  })
}

async function refuseTaken(connection: Db, accountExternalId: string | null, walletAccountId: string | null) {
  const [sameExternalId] = accountExternalId ? await byExternalId(connection).execute({ accountExternalId }) : []
  if (sameExternalId) {
    throw fail('CONFLICT', { message: `An account with accountExternalId ${accountExternalId} already exists` })
  }
  const [sameWallet] = walletAccountId ? await byWalletAccount(connection).execute({ walletAccountId }) : []
  if (sameWallet) {
    throw fail('CONFLICT', { message: `An account with walletAccountId ${walletAccountId} already exists` })
  }
}

async function checkWalletAccount(client: Client, walletAccountId: string): Promise<void> {
  try {
    await client.call(getWalletAccount, { params: { walletAccountId } })
  } catch (error) {
    if (error instanceof CallError && error.status === 404) {
      throw fail('NOT_FOUND', { message: `The wallet service knows no account ${walletAccountId}`, cause: error })
    }
    throw failedCall(error)
  }
}

const byExternalId = prepared((db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.accountExternalId, param('accountExternalId'))),
)
const byWalletAccount = prepared((db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.walletAccountId, param('walletAccountId'))),
)
