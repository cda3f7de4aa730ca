import { walletChanges } from '@bursar/contracts/wallet'
import type { Reconciliation } from '@bursar/http'
import { type AccountAddress, keepAddress } from './addresses'

/**
 * Stores addresses for the search, including those of wallets older than this service's first event. An account's address on
 * a network never changes: a restored wallet service derives the same one again.
 */
export const addressReplicas = {
  changes: walletChanges,
  replica: { kind: 'wallet', upsert: keepAddress, restate: keepAddress, deleteUnstated: async () => {} },
  toRow: (wallet: AccountAddress) => wallet,
} satisfies Reconciliation<typeof walletChanges.answer, AccountAddress>
