import { type Account, getAccountAddresses } from '@bursar/contracts/account'
import { CallError, type Client, failedCall } from '@bursar/http'
import { asc, eq, param, params, prepared, type Store, type Tx } from '@bursar/store'
import { getCustomer } from '../customers/customers'
import { accounts } from './accounts.table'

/** Remembers whose account it is; one that belongs to no customer is nothing to us. */
export async function keepAccount(tx: Tx, { id, customerId }: Account): Promise<void> {
  if (customerId !== null) await insertAccount(tx).execute({ id, customerId })
}

/** How many accounts are asked about at once. */
const lanes = 8

/**
 * The addresses of all accounts of a customer, those of its oldest account first, each once. Fails when there is no
 * such customer, and (502, 503, 504) when the account service cannot tell: a part of them would pass for all.
 */
export async function customerAddresses(store: Store, client: Client, id: string): Promise<string[]> {
  await getCustomer(store, id)
  const owned = await accountsOf(store.read).execute({ customerId: id })
  const found: string[][] = []
  for (let from = 0; from < owned.length; from += lanes) {
    found.push(
      ...(await Promise.all(owned.slice(from, from + lanes).map((account) => addressesOf(client, account.id)))),
    )
  }
  return [...new Set(found.flat())]
}

async function addressesOf(client: Client, id: string): Promise<string[]> {
  try {
    return await client.call(getAccountAddresses, { params: { id } })
  } catch (error) {
    // An account service that was set back to an older state may not know it any more.
    if (error instanceof CallError && error.status === 404) return []
    throw failedCall(error)
  }
}

const insertAccount = prepared((db) => db.insert(accounts).values(params(accounts)).onConflictDoNothing())
const accountsOf = prepared((db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
    .orderBy(asc(accounts.id)),
)
