import { type Again, again, type Worker } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { scanAccounts } from './scan-accounts'
import { scanBlocks } from './scan-blocks'
import { hasWatched } from './watched'

/** Watches the networks for deposits. */
export interface ScanningWorker extends Worker {
  /** Reads what a network has new, now. */
  wake(network: string): Promise<void>
}

export function startScanning(deps: BlockchainDeps): ScanningWorker {
  const loops = new Map<string, Again>()
  const loopOf = (network: string): Again => {
    const known = loops.get(network)
    if (known) return known
    const loop = again(deps.networks.find(network)?.pollMs ?? 2000, () => scan(deps, network), {
      log: deps.log,
      name: `The watch on ${network}`,
    })
    loops.set(network, loop)
    return loop
  }
  for (const { name } of deps.networks.named) loopOf(name)
  deps.wakes.on('transfers', (network) => void loopOf(network).wake())
  return {
    wake: (network) => loopOf(network).wake(),
    async stop() {
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
  }
}

/** A network on which nothing is watched is not even put into use. */
async function scan(deps: BlockchainDeps, network: string): Promise<void> {
  if (!(await hasWatched(deps.store.read, network))) return
  const chain = await deps.networks.open(network)
  const { source } = chain
  while (source.kind === 'blocks' ? await scanBlocks(deps, chain, source) : await scanAccounts(deps, chain, source));
}
