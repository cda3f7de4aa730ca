import { comparableAddress } from '@bursar/contracts/address'
import { getAssets } from '@bursar/contracts/core-ledger'
import { networkName } from '@bursar/contracts/network-name'
import type { Client } from '@bursar/http'
import { fail, invalid } from '../errors'
import { evmProblem, solanaProblem } from '../keys/addresses'
import { contractOf } from '../networks/holdings'
import { requireNetworkName } from '../wallets/wallets'
import type { AssetQuery } from './token-accounts.model'

/** The token of a token account. */
export interface Token {
  network: string
  /** Null for the network's native coin. */
  tokenAddress: string | null
  assetCode: string | null
}

/** The token of an asset of the core ledger. 404 when there is no asset with this code on the network. */
export async function tokenOfAsset(client: Client, { network: given, assetCode }: AssetQuery): Promise<Token> {
  const network = requireNetworkName(given)
  const code = assetCode.toLowerCase()
  const assets = await client.call(getAssets)
  const asset = assets.find((each) => each.code.toLowerCase() === code && networkName(each.blockchain) === network)
  if (!asset) throw fail('NOT_FOUND', { message: `Asset ${assetCode} not found on ${network}` })
  return { network, tokenAddress: contractOf(asset.contractAddress), assetCode: asset.code }
}

/**
 * The token at an address. Its network is that of the asset with this address, one of `preferred` first. A token that
 * is not an asset belongs to Ethereum or Solana, by the form of its address. Fails with 400 for any other form.
 */
export async function tokenAt(client: Client, tokenAddress: string, preferred: readonly string[]): Promise<Token> {
  const token = comparableAddress(tokenAddress)
  const known = (await client.call(getAssets)).flatMap(({ code, blockchain, contractAddress }) => {
    const network = networkName(blockchain)
    const isIt = contractAddress !== null && comparableAddress(contractAddress) === token
    return isIt && network !== null ? [{ network, tokenAddress: contractAddress, assetCode: code }] : []
  })
  const asset = known.find(({ network }) => preferred.includes(network)) ?? known[0]
  if (asset) return asset
  if (evmProblem(tokenAddress) === null) return { network: 'ethereum', tokenAddress, assetCode: null }
  if (solanaProblem(tokenAddress) === null) return { network: 'solana', tokenAddress, assetCode: null }
  throw invalid('tokenAddress', 'must be the address of an asset, or of a token of Ethereum or Solana')
}
