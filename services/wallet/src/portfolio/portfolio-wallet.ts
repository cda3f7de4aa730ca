import type { Network } from '@bursar/contracts/blockchain'
import { requireAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { familyOf } from '../networks/families'
import { findWallet, isSharedAddress, keepWallet, planWallet, type WalletRow } from '../wallets/wallets'

/**
 * The wallet of a portfolio account on the network of a chain, created if there is none. 422 for a chain without EVM
 * keys, 404 when there is no such account, 400 for an account of another type: the pool's funds are never signed for.
 */
export async function portfolioWallet(deps: WalletDeps, accountId: string, chainId: number): Promise<WalletRow> {
  const account = await requireAccount(deps, accountId.toLowerCase())
  const { id, type, status } = account
  if (type !== 'PORTFOLIO') {
    throw fail('INVALID_REQUEST', { message: `Account ${id} is of type ${type}; it must be PORTFOLIO` })
  }
  if (status !== 'active') {
    throw fail('INVALID_REQUEST', { message: `Account ${id} is ${status}; only active accounts can be used` })
  }
  const { name } = await portfolioNetwork(deps, chainId)
  const known = await findWallet(deps.store.read, id, name)
  const planned = known ?? (await planWallet(deps, id, name))
  const wallet = known ?? (await deps.store.commit((tx) => keepWallet(tx, planned)))
  if (await isSharedAddress(deps.store.read, wallet)) {
    throw fail('UNPROCESSABLE', {
      message: `${wallet.address} is the address of another account, too: it signs nothing`,
    })
  }
  return wallet
}

/** The network of a chain. 422 for one without EVM keys. */
export async function portfolioNetwork({ networks }: WalletDeps, chainId: number): Promise<Network> {
  const network = await networks.byChainId(chainId)
  if (network && network.kind !== 'solana' && familyOf(network.name) === 'evm') return network
  throw fail('UNPROCESSABLE', { message: `There is no network here of chainId ${chainId} that portfolios can use` })
}
