import Big from 'big.js'

/** How a result that has too many decimals is cut. Always named: there is no silent rounding of money. */
export const rounding = {
  down: Big.roundDown,
  halfUp: Big.roundHalfUp,
  halfEven: Big.roundHalfEven,
  up: Big.roundUp,
} as const
type Rounding = keyof typeof rounding

/** What big.js takes; numbers only where they were read from JSON and are exact as text. */
export type Decimal = string | number | Big

/** A constructor of its own for divisions: big.js keeps their precision there, and nobody else may move it. */
const Mean = Big()
Mean.DP = 18
Mean.RM = Big.roundHalfUp

/** The arithmetic mean of rates, to 18 decimals, half up. Throws on an empty list. */
export function mean(rates: readonly Decimal[]): Big {
  if (rates.length === 0) throw new RangeError('The mean of no rates is not defined')
  return rates.reduce<Big>((total, rate) => total.plus(rate), new Mean(0)).div(rates.length)
}

/** The middle of the rates; of an even number the mean of the middle two. Throws on an empty list. */
export function median(rates: readonly Decimal[]): Big {
  const sorted = rates.map((rate) => new Big(rate)).sort((a, b) => a.cmp(b))
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]
  const lower = sorted.length % 2 === 0 ? sorted[middle - 1] : upper
  if (!upper || !lower) throw new RangeError('The median of no rates is not defined')
  return mean([lower, upper])
}

/**
 * What a quantity of the smallest unit is worth: quantity × rate, to `decimals` places of the currency, rounded as told.
 */
export const worth = (amount: bigint, assetDecimals: number, rate: Decimal, decimals: number, how: Rounding): Big =>
  scaled(amount, assetDecimals).times(rate).round(decimals, rounding[how])

/** An integer of the smallest unit as an exact decimal. */
export function scaled(amount: bigint, decimals: number): Big {
  const value = new Big(amount.toString())
  value.e -= amount === 0n ? 0 : decimals
  return value
}
