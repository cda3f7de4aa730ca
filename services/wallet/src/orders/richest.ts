import { createSingleFlight } from '@bursar/http'
import { and, asc, type Db, eq, gt, inArray, inChunks, param, prepared } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { type AskHoldings, holdingsOf } from '../networks/holdings'
import { wallets } from '../wallets/wallets.table'

/** The pooled addresses of a network with the highest balances of an asset, richest first. */
export type Richest = (network: string, contractAddress: string | null) => Promise<string[]>

const keptMs = 60_000
const listed = 20
const lanes = 16

/**
 * Reads the balance of every pooled address, at most once a minute per asset: needed only when neither the account's
 * own wallet nor the hot wallet can pay. Rejects with CallError when the blockchain service is unreachable.
 */
export function createRichest({ read, holdings }: { read: Db; holdings: AskHoldings }): Richest {
  const known = new Map<string, { until: number; addresses: string[] }>()
  const once = createSingleFlight<string[]>()
  return (network, contractAddress) => {
    const key = `${network} ${contractAddress}`
    const found = known.get(key)
    if (found && found.until > performance.now()) return Promise.resolve(found.addresses)
    return once(key, async () => {
      const addresses = await scan(read, holdings, network, contractAddress)
      known.set(key, { until: performance.now() + keptMs, addresses })
      return addresses
    })
  }
}

async function scan(
  read: Db,
  holdings: AskHoldings,
  network: string,
  contractAddress: string | null,
): Promise<string[]> {
  let best: { address: string; amount: bigint }[] = []
  const pooled = ({ after, limit }: { after: string; limit: number }) =>
    pooledAfter(read).execute({ network, after, limit })
  for await (const rows of inChunks(pooled, { size: lanes, start: '', keyOf: ({ id }) => id })) {
    const found = await Promise.all(
      rows.map(async ({ address }) => ({
        address,
        amount: (await holdingsOf(holdings, network, address))(contractAddress),
      })),
    )
    best = [...best, ...found.filter(({ amount }) => amount > 0n)]
      .sort((one, other) => (one.amount > other.amount ? -1 : 1))
      .slice(0, listed)
  }
  return best.map(({ address }) => address)
}

const pooledAfter = prepared((db) =>
  db
    .select({ id: wallets.id, address: wallets.address })
    .from(wallets)
    .innerJoin(accounts, eq(accounts.id, wallets.accountId))
    .where(
      and(
        eq(wallets.network, param('network')),
        gt(wallets.id, param('after')),
        inArray(accounts.type, ['STABLECOINS', 'OMNIBUS']),
      ),
    )
    .orderBy(asc(wallets.id))
    .limit(param('limit')),
)
