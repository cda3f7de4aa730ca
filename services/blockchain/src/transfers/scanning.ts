import { type Again, again, type Worker } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { unnamedPollMs } from '../networks/networks'
import { hasWatched, watchedNetworks } from '../watching/watched'
import { scanAccounts } from './scan-accounts'
import { scanBlocks } from './scan-blocks'

/** Reads each network independently: a slow one does not delay the others. */
export interface Scanning extends Worker {
  /** Reads a network now. */
  wake(network: string): Promise<void>
}

/**
 * Watches the networks for deposits: a loop per named network, and one for all others. Callers may
 * invent any number of unnamed ones.
 */
export function startScanning(deps: BlockchainDeps): Scanning {
  const { log, networks, store, wakes } = deps
  const loops = new Map<string, Again>(
    networks.named.map(({ name, pollMs }) => [
      name,
      again(pollMs, (own) => reported({ ...deps, store: own }, name), { log, name: `Watching ${name}`, alone: store }),
    ]),
  )
  const rest = again(
    unnamedPollMs,
    async (own) => {
      for (const network of await watchedNetworks(own.read)) {
        if (loops.has(network)) continue
        // Callers invent these names: a failure of one must not affect others.
        await reported({ ...deps, store: own }, network).catch((error: unknown) => {
          log.error({ err: error, network }, `Watching ${network} failed; it will be retried`)
        })
      }
    },
    { log, name: 'Watching other networks', alone: store },
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

/** A network without watched addresses is not even opened. */
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
