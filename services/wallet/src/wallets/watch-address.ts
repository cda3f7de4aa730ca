import { type WatchedAddress, watchAddress } from '@bursar/contracts/blockchain'
import type { Static } from '@bursar/contracts/schema'
import { type CallError, type Client, isCallError } from '@bursar/http'
import { fail } from '../errors'

/**
 * Has the blockchain service watch an address. Answers whether it was taken: not when that service is away or fails, for
 * the address can be handed over later. 422 when it refuses: it has no such network.
 */
export async function watch(client: Client, address: Static<typeof WatchedAddress>): Promise<boolean> {
  try {
    await client.call(watchAddress, { body: address })
    return true
  } catch (cause) {
    if (!isCallError(cause)) throw cause
    if (!isRefusal(cause)) return false
    throw fail('UNPROCESSABLE', { message: `There are no wallets on ${address.network}: ${cause.message}`, cause })
  }
}

/** Whether a service has refused for good: it is there, and has understood. */
export const isRefusal = ({ problem, status }: CallError): boolean =>
  problem === 'refused' && status !== null && status < 500
