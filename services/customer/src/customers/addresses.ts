import { getAccountAddresses } from '@bursar/contracts/account'
import { type Client, mapConcurrent } from '@bursar/http'
import type { Db } from '@bursar/store'
import { accountsOf } from '../accounts/accounts'
import { getCustomer } from './customers'

/** Concurrent calls to the account service. */
const callsAtOnce = 8

/**
 * The addresses of all accounts of a customer, those of its oldest account first, each once. Fails when there is no
 * such customer, and with a CallError when the account service cannot answer: part of the addresses would look
 * complete. Ends early once the caller has gone (`signal`): there may be very many accounts.
 */
export async function customerAddresses(db: Db, client: Client, id: string, signal: AbortSignal): Promise<string[]> {
  await getCustomer(db, id)
  const found = await mapConcurrent(await accountsOf(db, id), callsAtOnce, async (account) => {
    if (signal.aborted) return []
    // After a restore from an older backup the account service may not know the account.
    return (await client.find(getAccountAddresses, { params: { id: account.id } })) ?? []
  })
  return [...new Set(found.flat())]
}
