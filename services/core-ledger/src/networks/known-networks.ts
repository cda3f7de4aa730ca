import { getNetworks } from '@bursar/contracts/blockchain'
import { type Client, isCallError } from '@bursar/http'
import { fail } from '../errors'
import { normalNetwork } from './networks'

/** They change only when the blockchain service starts. */
const keptMs = 60_000

export type KnownNetworks = ReturnType<typeof createKnownNetworks>

/**
 * The networks of the blockchain service. Checked in production only: in the sandbox any name is a network (decisions,
 * Networks).
 */
export function createKnownNetworks(client: Client, isProduction: boolean) {
  let kept: { names: Set<string>; until: number } | undefined

  async function names(): Promise<Set<string>> {
    if (kept && performance.now() < kept.until) return kept.names
    try {
      const networks = await client.call(getNetworks)
      kept = {
        names: new Set(networks.map(({ name }) => normalNetwork(name))),
        until: performance.now() + keptMs,
      }
      return kept.names
    } catch (cause) {
      if (!isCallError(cause)) throw cause
      // An outdated list is better than refusing all deposits.
      if (kept) return kept.names
      throw fail('CHAIN_UNAVAILABLE', { cause })
    }
  }

  /** Whether transfers on the network can be looked up; always false in the sandbox. 503 if that is unknown. */
  const isFollowed = async (network: string) => isProduction && (await names()).has(normalNetwork(network))
  return {
    isFollowed,
    /** 400 in production if the network is not configured; 503 if that is unknown. */
    async requireKnown(network: string, field: string): Promise<void> {
      if (!isProduction || (await isFollowed(network))) return
      throw fail('NETWORK_UNKNOWN', { message: `${field} ${normalNetwork(network)} is not configured` })
    },
  }
}
