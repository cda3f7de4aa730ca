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
    (network) => reported(deps, network),
    () => watchedNetworks(deps.store.read),
  )

/** A network on which nothing is watched is not even put into use. */
async function reported(deps: BlockchainDeps, network: string): Promise<void> {
  if (!(await hasWatched(deps.store.read, network))) return
  try {
    await scan(deps, network)
    deps.scans.done(network, new Date())
  } catch (error) {
    deps.scans.failed(network, error, new Date())
    throw error
  }
}

async function scan(deps: BlockchainDeps, network: string): Promise<void> {
  const chain = await deps.networks.open(network)
  const { source } = chain
  while (source.kind === 'blocks' ? await scanBlocks(deps, chain, source) : await scanAccounts(deps, chain, source));
}
