import { comparableAddress } from '@bursar/contracts/address'
import { type Db, inArray, insertMissing, type param, rowsBy, type Tx } from '@bursar/store'
import { accountTexts } from '../search/account-texts'
import { addresses } from './addresses.table'

/** The fields of a wallet that the search needs. */
export interface AccountAddress {
  accountId: string
  address: string
}

/** The account's addresses that the search does not know yet; usually none. */
export async function newAddresses(db: Db, accountId: string, found: readonly string[]): Promise<string[]> {
  const known = new Set((await addressesOf(db, accountId)).map(({ address }) => address))
  return [...new Set(found.map(comparableAddress))].filter((address) => !known.has(address))
}

/** Stores addresses of an account for the search. */
export async function addAddresses(tx: Tx, accountId: string, found: readonly string[]): Promise<void> {
  await insertAddresses(
    tx,
    found.map((address) => ({ accountId, address })),
  )
  await accountTexts.add(tx, accountId, found)
}

/** Stores the address of a wallet for the search. */
export const keepAddress = async (tx: Tx, { accountId, address }: AccountAddress): Promise<void> =>
  addAddresses(tx, accountId, await newAddresses(tx, accountId, [address]))

/** The part of a query that finds the accounts with any of these addresses. */
export const accountsAt = (db: Db, places: ReturnType<typeof param>[]) =>
  db.select({ id: addresses.accountId }).from(addresses).where(inArray(addresses.address, places))

const addressesOf = rowsBy(addresses, 'accountId', 'address')
const insertAddresses = insertMissing(addresses)
