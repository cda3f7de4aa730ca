import { createSingleFlight } from '@bursar/http'
import { and, asc, type Db, eq, gt, inArray, param, prepared } from '@bursar/store'
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
export function createRichest(
  { read, holdings }: { read: Db; holdings: AskHoldings },
  now = () => performance.now(),
): Richest {
  const known = new Map<string, { until: number; addresses: string[] }>()
  const once = createSingleFlight<string[]>()
  return (network, contractAddress) => {
    const key = `${network} ${contractAddress}`
    const found = known.get(key)
    if (found && found.until > now()) return Promise.resolve(found.addresses)
    return once(key, async () => {
      const addresses = await scan(read, holdings, network, contractAddress)
      known.set(key, { until: now() + keptMs, addresses })
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
  let after = ''
  for (;;) {
    const rows = await pooledAfter(read).execute({ network, after, limit: lanes })
    const found = await Promise.all(
      rows.map(async ({ address }) => ({
        address,
        amount: (await holdingsOf(holdings, network, address))(contractAddress),
      })),
    )
    best = [...best, ...found.filter(({ amount }) => amount > 0n)]
      .sort((one, other) => (one.amount > other.amount ? -1 : 1))
      .slice(0, listed)
    after = rows.at(-1)?.id ?? after
    if (rows.length < lanes) return best.map(({ address }) => address)
  }
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
