import { byKey, eq, param } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { familyOf, storedForm } from '../networks/families'
import { hotAddress } from '../wallets/deployment-holdings'
import { hasWalletAt } from '../wallets/wallets'
import { tokenAccounts } from './token-accounts.table'

/**
 * Whether an address belongs to this deployment, on any network: a wallet's, one of its token accounts, or the hot
 * wallet's.
 */
export async function isOwnAddress(
  { store, keys }: Pick<WalletDeps, 'store' | 'keys'>,
  network: string,
  given: string,
): Promise<boolean> {
  const address = storedForm(network, given)
  if (address === hotAddress(keys, network)) return true
  if (await hasWalletAt(store.read, address)) return true
  // On other networks tokens are at the wallet's address itself.
  if (familyOf(network) !== 'solana') return false
  return (await tokenAccountAt(store.read).execute({ network, address })).length > 0
}

const tokenAccountAt = byKey(tokenAccounts, 'network', { only: eq(tokenAccounts.address, param('address')) })
