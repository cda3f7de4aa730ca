import { and, defineList, eq, param } from '@bursar/store'
import { ownersOf } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { storedForm } from '../networks/families'
import { blockchainAway, simulatedNetworks, toListed } from './list-wallets'
import type { WalletList, WalletsQuery } from './wallets.model'
import { wallets } from './wallets.table'

/** Wallets of all accounts, for staff: by indexed filters, oldest first by default. */
export async function allWallets({ store, networks }: WalletDeps, query: WalletsQuery): Promise<WalletList> {
  const { limit = 100, order, after } = query
  const rows = await walletList.page(store.read, query, { order, after, limit })
  const owners = await ownersOf(
    store.read,
    rows.map(({ accountId }) => accountId),
  )
  const simulated = await simulatedNetworks(networks)
  const data = rows.map((row) => ({
    ...toListed(row, { participantId: owners.get(row.accountId) ?? null, simulated }),
    createdAt: row.createdAt.toISOString(),
  }))
  return simulated === 'away' ? { data, warning: blockchainAway } : { data }
}

/** The wallets that match the filters, by age. */
export const walletList = defineList({
  id: wallets.id,
  rows: (db) => db.select().from(wallets),
  to: (row) => row,
  read: ({ accountId, network, address }: WalletsQuery) => ({
    form: { account: accountId !== undefined, network: network !== undefined, address: address !== undefined },
    // EVM addresses are found in any case.
    values: { accountId, network: network?.toLowerCase(), address: address && storedForm('ethereum', address) },
  }),
  where: ({ account, network, address }) =>
    and(
      account ? eq(wallets.accountId, param('accountId')) : undefined,
      network ? eq(wallets.network, param('network')) : undefined,
      address ? eq(wallets.address, param('address')) : undefined,
    ),
})
