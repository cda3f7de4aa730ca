import { type WatchedAddress, watchAddress } from '@bursar/contracts/blockchain'
import type { Static } from '@bursar/contracts/schema'
import { type CallError, type Client, isCallError } from '@bursar/http'
import { fail } from '../errors'

/**
 * Registers an address for watching at the blockchain service. Returns whether it was accepted: not when that service
 * is unreachable or fails, since the address can be registered later. 422 when it refuses: it has no such network.
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

/** Whether a service has refused permanently. */
export const isRefusal = ({ problem, status }: CallError): boolean =>
  problem === 'refused' && status !== null && status < 500
