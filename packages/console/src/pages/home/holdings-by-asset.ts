import { worthOf } from '../accounts/worth-of'
import { addDecimals } from '../bank/sums'

interface Balance {
  assetId: string
  assetCode: string
  availableBalance: string
  frozenBalance: string
  totalBalance: string
  /** Null without a rate. */
  usdValue: number | null
}

export interface Holding {
  assetId: string
  assetCode: string
  available: string
  frozen: string
  total: string
  usd: number | null
}

/** The exact sum of balances for each asset, with its estimated value, in the order of codes. */
export function holdingsByAsset(balances: readonly Balance[]): Holding[] {
  const groups = Map.groupBy(balances, ({ assetId }) => assetId)
  return [...groups]
    .map(([assetId, rows]) => ({
      assetId,
      assetCode: rows[0]?.assetCode ?? '',
      available: addDecimals(rows.map(({ availableBalance }) => availableBalance)),
      frozen: addDecimals(rows.map(({ frozenBalance }) => frozenBalance)),
      total: addDecimals(rows.map(({ totalBalance }) => totalBalance)),
      usd: worthOf(rows),
    }))
    .sort((one, other) => one.assetCode.localeCompare(other.assetCode))
}
