import { type Again, again, type Worker } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { hasWatched, watchedNetworks } from '../watching/watched'
import { scanAccounts } from './scan-accounts'
import { scanBlocks } from './scan-blocks'

/** Looks at each network by itself: one that is slow holds up no other. */
export interface Scanning extends Worker {
  /** Looks at a network now. */
  wake(network: string): Promise<void>
}

/** The pause between two looks at all networks without a name of their own, which are simulated. */
const othersMs = 2000

/**
 * Watches the networks for deposits: a loop for each network with a name of its own, and one for all others. Callers may
 * name as many of them as they like.
 */
export function startScanning(deps: BlockchainDeps): Scanning {
  const { log, networks, store, wakes } = deps
  const loops = new Map<string, Again>(
    networks.named.map(({ name, pollMs }) => [
      name,
      again(pollMs, () => reported(deps, name), { log, name: `The watch on ${name}` }),
    ]),
  )
  const rest = again(
    othersMs,
    async () => {
      for (const network of await watchedNetworks(store.read)) {
        if (loops.has(network)) continue
        // Callers make these names up: what is wrong with one concerns no other.
        await reported(deps, network).catch((error: unknown) => {
          log.error({ err: error, network }, `The watch on ${network} failed; it is repeated`)
        })
      }
    },
    { log, name: 'The watch on other networks' },
  )
  const wake = (network: string) => (loops.get(network) ?? rest).wake()
  wakes.on('transfers', (network) => void wake(network))
  return {
    wake,
    async stop() {
      await Promise.all([rest, ...loops.values()].map((loop) => loop.stop()))
    },
  }
}

/** A network on which nothing is watched is not even put into use. */
async function reported(deps: BlockchainDeps, network: string): Promise<void> {
  if (!(await hasWatched(deps.store.read, network))) return
  try {
    await scan(deps, network)
    deps.scans.done(network, deps.clock())
  } catch (error) {
    deps.scans.failed(network, error, deps.clock())
    throw error
  }
}

async function scan(deps: BlockchainDeps, network: string): Promise<void> {
  const chain = await deps.networks.open(network)
  const { source } = chain
  while (source.kind === 'blocks' ? await scanBlocks(deps, chain, source) : await scanAccounts(deps, chain, source));
}
