import { walletChanges } from '@bursar/contracts/wallet'
import type { Reconciliation } from '@bursar/http'
import type { Replica } from '@bursar/store'
import { type AccountAddress, keepAddress } from './addresses'

/** An account's address on a network never changes: a restored wallet service derives the same one again. */
const addresses: Replica<AccountAddress> = {
  kind: 'wallet',
  upsert: keepAddress,
  restate: keepAddress,
  deleteUnstated: async () => {},
}

/** Stores addresses for the search, including those of wallets older than this service's first event. */
export const addressReplicas = {
  changes: walletChanges,
  replica: addresses,
  toRow: ({ accountId, address }: AccountAddress): AccountAddress => ({ accountId, address }),
} satisfies Reconciliation<typeof walletChanges.answer, AccountAddress>
