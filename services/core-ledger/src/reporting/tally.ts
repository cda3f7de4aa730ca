import { formatAmount, rounding, scaled } from '@bursar/money'
import type { Figures } from './overview.model'

/** The number of movements, and their amount in minor units, per asset id. */
export type Tally = Map<string, { count: number; amount: bigint }>

export interface Price {
  readonly decimals: number
  /** USD for one unit; null if unavailable. */
  readonly rate: number | null
}
export type PriceOf = (assetId: string) => Price

export function add(tally: Tally, assetId: string, count: number, amount: bigint): void {
  const known = tally.getOrInsert(assetId, { count: 0, amount: 0n })
  known.count += count
  known.amount += amount
}

export function addAll(tally: Tally, other: Tally): void {
  for (const [assetId, { count, amount }] of other) add(tally, assetId, count, amount)
}

export function subtractAll(tally: Tally, other: Tally): void {
  for (const [assetId, { amount }] of other) add(tally, assetId, 0, -amount)
}

/** The answered form: the count, the exact sum of the units, and its value in USD to the cent, half to even. */
export const movements = (tally: Tally, priceOf: PriceOf): Figures['deposits'] => ({
  count: [...tally.values()].reduce((sum, { count }) => sum + count, 0),
  ...worthOf(tally, priceOf),
})

/** The same without the count. USD is null if an asset that counts has no rate. */
export function worthOf(tally: Tally, priceOf: PriceOf): Figures['balances'] {
  const priced = [...tally].map(([assetId, { amount }]) => ({ amount, ...priceOf(assetId) }))
  const decimals = priced.reduce((most, price) => Math.max(most, price.decimals), 0)
  const units = priced.reduce((sum, { amount, decimals: own }) => sum + amount * 10n ** BigInt(decimals - own), 0n)
  return { amount: formatAmount(units, decimals), usdValue: usdValue(priced) }
}

function usdValue(priced: readonly (Price & { amount: bigint })[]): number | null {
  let sum = scaled(0n, 0)
  for (const { amount, decimals, rate } of priced) {
    if (amount === 0n) continue
    if (rate === null) return null
    sum = sum.plus(scaled(amount, decimals).times(rate))
  }
  return sum.round(2, rounding.halfEven).toNumber()
}
