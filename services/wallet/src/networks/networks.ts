import { getNetworks, type Network } from '@bursar/contracts/blockchain'
import type { Client } from '@bursar/http'

/** The last known networks of the blockchain service. */
export interface Networks {
  /** Rejects with CallError when the blockchain service is unreachable and was never read. */
  list(): Promise<readonly Network[]>
  byName(name: string): Promise<Network | undefined>
  byChainId(chainId: number): Promise<Network | undefined>
}

/** The minimum interval between look-ups of unknown networks. */
const askAgainMs = 10_000

export function createNetworks(client: Client, now: () => number = () => performance.now()): Networks {
  let known: readonly Network[] | null = null
  let askedAt = 0

  async function ask(): Promise<readonly Network[]> {
    askedAt = now()
    known = await client.call(getNetworks)
    return known
  }

  async function find(isIt: (network: Network) => boolean): Promise<Network | undefined> {
    const found = known?.find(isIt)
    if (found || (known && now() - askedAt < askAgainMs)) return found
    return (await ask()).find(isIt)
  }

  return {
    list: ask,
    byName: (name) => find((network) => network.name === name),
    byChainId: (chainId) => find((network) => network.chainId === chainId),
  }
}
