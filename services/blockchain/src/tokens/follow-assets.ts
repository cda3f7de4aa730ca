import { getAssets } from '@bursar/contracts/core-ledger'
import { AppError, followPeer } from '@bursar/http'
import type { Worker } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { tokenKey } from '../networks/comparable'
import { registerToken } from './register-token'
import { findToken } from './tokens'

/**
 * Registers the core ledger's assets, at the start and every minute: deposits of a token that nobody has registered are
 * recorded, and published once it is known.
 */
export const followingAssets = (deps: BlockchainDeps): Worker =>
  followPeer(deps, 'The registration of the ledger’s assets', () => registerAssets(deps))

/** One pass over the ledger's assets. An asset whose network or contract means nothing here is left out, and logged. */
export async function registerAssets(deps: BlockchainDeps): Promise<void> {
  const { client, store, log } = deps
  for (const { code, blockchain: network, contractAddress, decimals } of await client.call(getAssets)) {
    const known = await findToken(store.read, network, tokenKey(contractAddress))
    if (known && known.code.toLowerCase() === code.toLowerCase() && known.decimals === decimals) continue
    try {
      await registerToken(deps, { network, contractAddress, code, decimals })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.warn({ code, network, reason: error.message }, 'An asset of the ledger cannot be registered')
    }
  }
}
