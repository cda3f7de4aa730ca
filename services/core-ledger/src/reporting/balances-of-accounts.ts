import { asc, type Db, eq, inArray, queryAmong } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import type { UsdRates } from '../assets/usd-rates'
import { balances } from '../ledger/balances.table'
import { type BalanceRow, balanceColumns, toBalance } from './balances'
import type { ValuedBalance } from './balances-of-accounts.model'
import { worthOf } from './tally'

/** The balances of several accounts, each with its estimated value at today's rate. Unknown accounts have none. */
export async function balancesOfAccounts(
  { read, rates }: { read: Db; rates: UsdRates },
  accountIds: readonly string[],
): Promise<ValuedBalance[]> {
  const rows = await balancesOf(read, accountIds)
  const usd = await rates.ratesOf([...new Set(rows.map(({ code }) => code))])
  return rows.map((row) => ({ ...toBalance(row), usdValue: worthInUsd(row, usd.get(row.code) ?? null) }))
}

const worthInUsd = ({ assetId, available, frozen, decimals }: BalanceRow, rate: number | null) =>
  worthOf(new Map([[assetId, { count: 0, amount: available + frozen }]]), () => ({ decimals, rate })).usdValue

/** Sorted by account and asset. At most 100 accounts. */
export const balancesOf = queryAmong(
  (ids) => (db) =>
    db
      .select(balanceColumns)
      .from(accounts)
      .innerJoin(balances, eq(balances.accountId, accounts.id))
      .innerJoin(assets, eq(assets.id, balances.assetId))
      .where(inArray(accounts.id, ids))
      .orderBy(asc(balances.accountId), asc(balances.assetId)),
)
