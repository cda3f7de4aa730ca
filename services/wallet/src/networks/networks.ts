import { getNetworks, type Network } from '@bursar/contracts/blockchain'
import { type Client, createSingleFlight } from '@bursar/http'

/** The last known networks of the blockchain service. */
export interface Networks {
  /** Rejects with CallError when the blockchain service is unreachable and was never read. */
  list(): Promise<readonly Network[]>
  /**
   * Asks again, unless it was just asked: a network may be another chain since the blockchain service has started
   * again, which decides who can pay and what is signed. Rejects with CallError.
   */
  renew(): Promise<void>
  byName(name: string): Promise<Network | undefined>
  byChainId(chainId: number): Promise<Network | undefined>
}

/** How long an answer without a network counts. */
const askAgainMs = 10_000
/** How long an answer counts where an order depends on it; many orders are worked on in that time. */
const renewMs = 1000

export function createNetworks(client: Client, now: () => number = () => performance.now()): Networks {
  let known: readonly Network[] | null = null
  let answeredAt = 0
  const once = createSingleFlight<readonly Network[]>()

  /** Only an answer says that there is no such network: neither a failure does, nor a question that another caller asks. */
  const ask = (): Promise<readonly Network[]> =>
    once('', async () => {
      known = await client.call(getNetworks)
      answeredAt = now()
      return known
    })

  async function find(isIt: (network: Network) => boolean): Promise<Network | undefined> {
    const found = known?.find(isIt)
    if (found || (known && now() - answeredAt < askAgainMs)) return found
    return (await ask()).find(isIt)
  }

  return {
    list: ask,
    async renew() {
      if (!known || now() - answeredAt >= renewMs) await ask()
    },
    byName: (name) => find((network) => network.name === name),
    byChainId: (chainId) => find((network) => network.chainId === chainId),
  }
}
