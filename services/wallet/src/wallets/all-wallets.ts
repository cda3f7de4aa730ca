import { and, countUpTo, type Db, eq, firstAfter, keyset, type Order, param, variants } from '@bursar/store'
import { ownersOf } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { storedForm } from '../networks/families'
import { blockchainAway, simulatedNetworks, toListed } from './list-wallets'
import type { WalletList, WalletsQuery } from './wallets.model'
import { wallets } from './wallets.table'

/** Wallets of all accounts, for staff: by filters that an index answers, the oldest first unless ordered otherwise. */
export async function allWallets({ store, networks }: WalletDeps, query: WalletsQuery): Promise<WalletList> {
  const { limit = 100, order = 'asc', after } = query
  const page = pageOf({ ...formOf(query), order })(store.read)
  const rows = await page.execute({ ...valuesOf(query), after: firstAfter(order, after), limit })
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

/** How many wallets pass the filters. */
export async function countWallets(db: Db, query: WalletsQuery): Promise<number> {
  const [row] = await countOf(formOf(query))(db).execute(valuesOf(query))
  return row?.total ?? 0
}

type Form = { account: boolean; network: boolean; address: boolean }
const formOf = ({ accountId, network, address }: WalletsQuery): Form => ({
  account: accountId !== undefined,
  network: network !== undefined,
  address: address !== undefined,
})
/** EVM addresses are found in whatever case they are written. */
const valuesOf = ({ accountId, network, address }: WalletsQuery) => ({
  accountId,
  network: network?.toLowerCase(),
  address: address && storedForm('ethereum', address),
})

const filters = ({ account, network, address }: Form) =>
  and(
    account ? eq(wallets.accountId, param('accountId')) : undefined,
    network ? eq(wallets.network, param('network')) : undefined,
    address ? eq(wallets.address, param('address')) : undefined,
  )
const pageOf = variants(({ order, ...form }: Form & { order: Order }) => {
  const { beyond, by } = keyset(wallets.id, order)
  return (db) =>
    db
      .select()
      .from(wallets)
      .where(and(filters(form), beyond))
      .orderBy(by)
      .limit(param('limit'))
})
const countOf = variants((form: Form) => (db) => countUpTo(db, wallets, filters(form)))
