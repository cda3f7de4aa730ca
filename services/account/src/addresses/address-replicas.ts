import { walletChanges } from '@bursar/contracts/wallet'
import type { Reconciliation } from '@bursar/http'
import type { Replica } from '@bursar/store'
import { type AccountAddress, keepAddress } from './addresses'

/** The address of an account on a network is for ever: what a wallet service that was restored has lost comes back the same. */
const addresses: Replica<AccountAddress> = {
  kind: 'wallet',
  upsert: keepAddress,
  restate: keepAddress,
  deleteUnstated: async () => {},
}

/** How the addresses of accounts are kept for the search: also of wallets that are older than what this service has heard. */
export const addressReplicas = {
  changes: walletChanges,
  replica: addresses,
  toRow: ({ accountId, address }: AccountAddress): AccountAddress => ({ accountId, address }),
} satisfies Reconciliation<typeof walletChanges.answer, AccountAddress>
