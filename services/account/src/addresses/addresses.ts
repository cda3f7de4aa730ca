import { comparableAddress } from '@bursar/contracts/address'
import { getWalletAddresses } from '@bursar/contracts/wallet'
import { type Client, failedCall } from '@bursar/http'
import { type Db, eq, inArray, param, params, prepared, type Store } from '@bursar/store'
import { getAccount } from '../accounts/accounts'
import { addresses } from './addresses.table'

/**
 * The on-chain addresses of an account, as the wallet service has them. Fails when there is no such account, and (502,
 * 503, 504) when the wallet service cannot tell.
 */
export async function accountAddresses(store: Store, client: Client, id: string): Promise<string[]> {
  await getAccount(store, id)
  let found: string[]
  try {
    found = await client.call(getWalletAddresses, { params: { accountId: id } })
  } catch (error) {
    throw failedCall(error)
  }
  await learn(store, id, found)
  return found
}

/** Remembers addresses for the search, once: most calls tell nothing new, and write nothing. */
async function learn(store: Store, accountId: string, found: readonly string[]): Promise<void> {
  const rows = await addressesOf(store.read).execute({ accountId })
  const known = new Set(rows.map(({ address }) => address))
  const news = new Set(found.map(comparableAddress).filter((address) => !known.has(address)))
  if (news.size === 0) return
  await store.commit(async (tx) => {
    for (const address of news) await insertAddress(tx).execute({ accountId, address })
  })
}

/** The part of a query that finds the accounts with any of these addresses. */
export const accountsAt = (db: Db, places: ReturnType<typeof param>[]) =>
  db.select({ id: addresses.accountId }).from(addresses).where(inArray(addresses.address, places))

const addressesOf = prepared((db) =>
  db
    .select({ address: addresses.address })
    .from(addresses)
    .where(eq(addresses.accountId, param('accountId'))),
)
const insertAddress = prepared((db) => db.insert(addresses).values(params(addresses)).onConflictDoNothing())
