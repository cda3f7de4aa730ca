import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { byKey, eq, param, prepared } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { storedForm } from '../networks/families'
import { listWallets } from './list-wallets'
import type { WalletRow } from './wallets'
import { wallets } from './wallets.table'

/** The wallets with this text as id or address. */
export async function findHits(deps: WalletDeps, { q, participantId }: Sought): Promise<SearchHit[]> {
  const { read } = deps.store
  const found = [
    ...(await withId(read).execute({ id: q.toLowerCase() })),
    ...(await withAddress(read).execute({ address: storedForm('ethereum', q) })),
  ]
  if (found.length === 0 || participantId === null) return found.map(toHit)
  const own = new Set((await listWallets(deps, participantId)).data.map(({ walletId }) => walletId))
  return found.filter(({ id }) => own.has(id)).map(toHit)
}

const toHit = ({ id, network, address, createdAt }: WalletRow): SearchHit => ({
  kind: 'wallet',
  id,
  title: `Wallet on ${network}`,
  detail: address,
  status: null,
  at: createdAt.toISOString(),
})

const withId = byKey(wallets, 'id')
const withAddress = prepared((db) =>
  db
    .select()
    .from(wallets)
    .where(eq(wallets.address, param('address')))
    .limit(5),
)
