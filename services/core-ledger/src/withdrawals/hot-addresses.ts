import { comparableAddress } from '@bursar/contracts/address'
import { getHotAddresses } from '@bursar/contracts/wallet'
import { type Deps, followPeer } from '@bursar/http'
import type { Worker } from '@bursar/store'
import { fail } from '../errors'

export type HotAddresses = ReturnType<typeof createHotAddresses>

/** The deployment's own hot wallet. Withdrawals to it are refused: its coins are nobody's in the books. */
export function createHotAddresses() {
  let known = new Set<string>()
  return {
    /**
     * Asks the wallet service for the addresses at the start and every minute; until it has answered once, only that
     * service refuses them.
     */
    start: ({ client, log }: Pick<Deps, 'client' | 'log'>): Worker =>
      followPeer({ log }, 'The look at the addresses of the hot wallet', async () => {
        known = new Set((await client.call(getHotAddresses)).map(({ address }) => comparableAddress(address)))
      }),
    /** 400 for one of them. */
    requireOther(destinationAddress: string): void {
      if (known.has(comparableAddress(destinationAddress))) throw fail('HOT_WALLET_DESTINATION')
    },
  }
}
