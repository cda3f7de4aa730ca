import { getAssets } from '@bursar/contracts/core-ledger'
import { messageOf } from '@bursar/contracts/log'
import { networkName } from '@bursar/contracts/network-name'
import { followPeer, isCallError } from '@bursar/http'
import type { Worker } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { tokenKey } from '../networks/comparable'
import { findToken } from '../tokens/tokens'
import { readToken, registerToken } from './register-token'

interface Asset {
  code: string
  network: string
  contractAddress: string | null
  decimals: number
}

/**
 * Registers the core ledger's assets, at the start and every minute: deposits of a token that nobody has registered are
 * recorded, and published once it is registered.
 */
export const followingAssets = (deps: BlockchainDeps): Worker =>
  followPeer(deps, 'Registering the ledger’s assets', (store) => registerAssets({ ...deps, store }))

/** One pass over the ledger's assets. An asset that cannot be registered is skipped. */
export async function registerAssets(deps: BlockchainDeps): Promise<void> {
  const listed = await deps.client.call(getAssets)
  const assets = listed.map(({ blockchain: network, ...asset }) => ({ ...asset, network }))
  for (const asset of assets) await follow(deps, asset, assets)
}

/** Registers an asset, or reports why not. Returns true when `all` is needed but not given. */
export async function follow(deps: BlockchainDeps, asset: Asset, all: readonly Asset[] | null): Promise<boolean> {
  try {
    const { token } = await readToken(deps, asset)
    const known = await findToken(deps.store.read, token.network, tokenKey(token.contractAddress))
    const isSameCode = known?.code.toLowerCase() === asset.code.toLowerCase()
    if (known && isSameCode && known.decimals === asset.decimals) return false
    if (known && !isSameCode) {
      if (!all) return true
      if (all.some((other) => isOf(other, known))) {
        deps.assets.leftOut(asset, `${known.code} is the same coin of ${known.network}`)
        return false
      }
    }
    const { decimals } = await registerToken(deps, token)
    if (decimals !== asset.decimals) deps.assets.leftOut(asset, `Its contract has ${decimals} decimals`)
  } catch (error) {
    if (isCallError(error)) throw error
    deps.assets.leftOut(asset, messageOf(error))
  }
  return false
}

/** Whether an asset matches the registered token. */
const isOf = (asset: Asset, known: { network: string; key: string; code: string }): boolean =>
  networkName(asset.network) === known.network &&
  tokenKey(asset.contractAddress) === known.key &&
  asset.code.toLowerCase() === known.code.toLowerCase()
