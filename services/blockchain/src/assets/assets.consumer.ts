import { AssetChanged } from '@bursar/contracts/core-ledger'
import { type Consumer, consumer } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { follow, registerAssets } from './follow-assets'

/** Registers an asset as soon as it is made or changed. What the event says acts once however often it comes. */
export const assetConsumers = (deps: BlockchainDeps): Consumer[] => [
  consumer(AssetChanged, async ({ data: { code, network, contractAddress, decimals, isDeleted } }) => {
    // Its network goes on knowing it: what moves of it is still told apart.
    if (isDeleted) return
    const asset = { code, network, contractAddress, decimals }
    // Another name for a coin that is known: whose it is only the whole list says.
    if (await follow(deps, asset, null)) await registerAssets(deps)
  }),
]
