import { type Again, again, type Worker } from '@bursar/store'
import type { BlockchainDeps } from './deps'
import type { Work } from './wakes'

/** A worker that looks at each network by itself: one that is slow holds up no other. */
export interface NetworkLoops extends Worker {
  /** Looks at a network now. */
  wake(network: string): Promise<void>
}

/** The pause between two looks at all networks without a name of their own, which are simulated. */
const othersMs = 2000

/**
 * A loop for each network with a name of its own, and one for all others; `others` lists those with something to do.
 * Callers may name as many of them as they like.
 */
export function networkLoops(
  deps: BlockchainDeps,
  work: Work,
  look: (network: string) => Promise<void>,
  others: () => Promise<string[]>,
): NetworkLoops {
  const name = work === 'sends' ? 'The sending' : 'The watch'
  const loops = new Map<string, Again>(
    deps.networks.named.map(({ name: network, pollMs }) => [
      network,
      again(pollMs, () => look(network), { log: deps.log, name: `${name} on ${network}` }),
    ]),
  )
  const rest = again(
    othersMs,
    async () => {
      for (const network of await others()) {
        if (loops.has(network)) continue
        // Callers make these names up: what is wrong with one concerns no other.
        await look(network).catch((error: unknown) => {
          deps.log.error({ err: error, network }, `${name} on ${network} failed; it is repeated`)
        })
      }
    },
    { log: deps.log, name: `${name} on other networks` },
  )
  const wake = (network: string) => (loops.get(network) ?? rest).wake()
  deps.wakes.on(work, (network) => void wake(network))
  return {
    wake,
    async stop() {
      await Promise.all([rest, ...loops.values()].map((loop) => loop.stop()))
    },
  }
}
