import { and, asc, eq, gt, param, prepared } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { hotPlace } from '../keys/key-place'
import type { Keys } from '../keys/key-tree'
import { familyOf } from '../networks/families'
import type { DeploymentHoldings } from './wallets.model'
import { wallets } from './wallets.table'

/** Addresses per page; those of a page are queried together. */
const pageSize = 32

/** The deployment's own address on a network: it pays if an account's own wallet cannot. */
export const hotAddress = (keys: Keys, network: string): string => keys.addressOf(familyOf(network), hotPlace)

/**
 * The holdings of one page of the deployment's addresses, the hot wallet first. Rejects with CallError while they are
 * unknown.
 */
export async function readHoldings(
  { store, holdings, keys }: Pick<WalletDeps, 'store' | 'holdings' | 'keys'>,
  network: string,
  after: string | undefined,
): Promise<DeploymentHoldings> {
  const rows = await walletsAfter(store.read).execute({ network, after: after ?? '', limit: pageSize })
  const hot = after === undefined ? [{ address: hotAddress(keys, network), accountId: null }] : []
  const items = await Promise.all(
    [...hot, ...rows].map(async ({ address, accountId }) => ({
      address,
      accountId,
      holdings: await holdings(network, address),
    })),
  )
  return { items, next: rows.length < pageSize ? null : (rows.at(-1)?.id ?? null) }
}

/** A network's wallets in the order of their ids. */
const walletsAfter = prepared((db) =>
  db
    .select({ id: wallets.id, address: wallets.address, accountId: wallets.accountId })
    .from(wallets)
    .where(and(eq(wallets.network, param('network')), gt(wallets.id, param('after'))))
    .orderBy(asc(wallets.id))
    .limit(param('limit')),
)
