import { comparableAddress } from '@bursar/contracts/address'
import { and, type Db, eq, isNotNull, like, prepared } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { systemBalances } from '../bookkeeping/balances.table'
import { work } from '../execution/work.table'
import { normalNetwork } from '../networks/networks'
import { holdings } from '../overview/holdings.table'
import { transactions } from '../transactions/transactions.table'

/** What must be on a chain of one asset. */
export interface Owed {
  network: string
  /** Null for the network's native asset. */
  contractAddress: string | null
  code: string
  decimals: number
  /** In the smallest unit. */
  amount: bigint
}

/** What names an asset on its chain, however it is written. */
export const chainKey = (network: string, contractAddress: string | null): string =>
  `${normalNetwork(network)} ${contractAddress === null ? 'native' : comparableAddress(contractAddress)}`

/**
 * What must be on the chains at least, by chainKey: all that came in and did not leave, less the withdrawals that were
 * ordered and may have left already, and less what portfolios hold, for they spend without the ledger.
 */
export async function owedOnChains(db: Db): Promise<Map<string, Owed>> {
  const owed = new Map<string, Owed>()
  const subtract = (row: { asset: Omit<Owed, 'amount'>; amount: bigint }) => {
    const key = chainKey(row.asset.network, row.asset.contractAddress)
    const known = owed.get(key) ?? { ...row.asset, amount: 0n }
    owed.set(key, { ...known, amount: known.amount - row.amount })
  }
  // What is outside is negative by as much as came in.
  for (const row of await outside(db).execute()) subtract(row)
  for (const row of await underWay(db).execute()) subtract(row)
  for (const row of await ofPortfolios(db).execute()) subtract(row)
  return owed
}

const asset = {
  network: assets.network,
  contractAddress: assets.contractAddress,
  code: assets.code,
  decimals: assets.decimals,
}
const outside = prepared((db) =>
  db
    .select({ asset, amount: systemBalances.amount })
    .from(systemBalances)
    .innerJoin(assets, eq(assets.id, systemBalances.assetId))
    .where(like(systemBalances.name, 'world:%')),
)
const underWay = prepared((db) =>
  db
    .select({ asset, amount: transactions.amount })
    .from(work)
    .innerJoin(transactions, eq(transactions.id, work.transactionId))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(and(eq(work.lane, 'chain'), isNotNull(work.orderedAt))),
)
const ofPortfolios = prepared((db) =>
  db
    .select({ asset, amount: holdings.amount })
    .from(holdings)
    .innerJoin(assets, eq(assets.id, holdings.assetId))
    .where(eq(holdings.accountType, 'PORTFOLIO')),
)
