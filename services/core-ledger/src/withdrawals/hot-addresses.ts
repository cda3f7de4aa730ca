import { comparableAddress } from '@bursar/contracts/address'
import type { Log } from '@bursar/contracts/log'
import { getHotAddresses } from '@bursar/contracts/wallet'
import { type Client, followPeer } from '@bursar/http'
import type { Worker } from '@bursar/store'
import { fail } from '../errors'

/** The deployment's own hot wallet. Withdrawals to it are refused: its coins are nobody's in the books. */
export interface HotAddresses {
  /**
   * Asks the wallet service for the addresses at the start and every minute; until it has answered once, only that
   * service refuses them.
   */
  start(deps: { client: Client; log: Log }): Worker
  /** 400 for one of them. */
  requireOther(destinationAddress: string): void
}

export function createHotAddresses(): HotAddresses {
  let known = new Set<string>()
  return {
    start: ({ client, log }) =>
      followPeer({ log }, 'The look at the addresses of the hot wallet', async () => {
        known = new Set((await client.call(getHotAddresses)).map(({ address }) => comparableAddress(address)))
      }),
    requireOther(destinationAddress) {
      if (known.has(comparableAddress(destinationAddress))) throw fail('HOT_WALLET_DESTINATION')
    },
  }
}
