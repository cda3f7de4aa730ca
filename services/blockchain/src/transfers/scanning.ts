import type { BlockchainDeps } from '../deps'
import { type NetworkLoops, networkLoops } from '../network-loops'
import { scanAccounts } from './scan-accounts'
import { scanBlocks } from './scan-blocks'
import { hasWatched, watchedNetworks } from './watched'

/** Watches the networks for deposits. */
export const startScanning = (deps: BlockchainDeps): NetworkLoops =>
  networkLoops(
    deps,
    'transfers',
    (network) => scan(deps, network),
    () => watchedNetworks(deps.store.read),
  )

/** A network on which nothing is watched is not even put into use. */
async function scan(deps: BlockchainDeps, network: string): Promise<void> {
  if (!(await hasWatched(deps.store.read, network))) return
  const chain = await deps.networks.open(network)
  const { source } = chain
  while (source.kind === 'blocks' ? await scanBlocks(deps, chain, source) : await scanAccounts(deps, chain, source));
}
