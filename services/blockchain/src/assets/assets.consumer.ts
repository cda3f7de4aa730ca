import { AssetChanged } from '@bursar/contracts/core-ledger'
import { type Consumer, consumer } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { follow, registerAssets } from './follow-assets'

/** Registers an asset as soon as it is created or changed. Idempotent. */
export const assetConsumers = (deps: BlockchainDeps): Consumer[] => [
  consumer(AssetChanged, async ({ data: { code, network, contractAddress, decimals, isDeleted } }) => {
    // The token stays registered: its movements are still recognised.
    if (isDeleted) return
    const asset = { code, network, contractAddress, decimals }
    // Another code for a known coin: only the whole list decides which one counts.
    if (await follow(deps, asset, null)) await registerAssets(deps)
  }),
]
