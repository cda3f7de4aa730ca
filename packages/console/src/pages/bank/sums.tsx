import type { ComponentChildren } from 'preact'
import { Amount } from '../../ui/amount'

/** An exact sum of decimal strings for each currency, in the order of currencies; `count` is the number of summands. */
interface CurrencySum {
  currency: string
  sum: string
  count: number
}

export function sumsByCurrency(of: readonly { amount: string; currency: string }[]): CurrencySum[] {
  const groups = Map.groupBy(of, ({ currency }) => currency)
  return [...groups]
    .map(([currency, rows]) => ({ currency, sum: addDecimals(rows.map(({ amount }) => amount)), count: rows.length }))
    .sort((one, other) => one.currency.localeCompare(other.currency))
}

/** Adds decimal strings without losing a digit: `['0.1', '0.25']` is `0.35`. */
export function addDecimals(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => fractionOf(amount).length))
  const total = amounts.reduce((sum, amount) => sum + inUnits(amount, decimals), 0n)
  return written(total, decimals)
}

/** The used percentage of a limit, rounded down; null for a limit of 0. */
export function shareUsed(used: string, limit: string): number | null {
  const decimals = Math.max(fractionOf(used).length, fractionOf(limit).length)
  const whole = inUnits(limit, decimals)
  return whole === 0n ? null : Number((inUnits(used, decimals) * 100n) / whole)
}

const fractionOf = (amount: string): string => amount.split('.')[1] ?? ''

const inUnits = (amount: string, decimals: number): bigint => {
  const [whole = ''] = amount.split('.')
  return BigInt(whole + fractionOf(amount).padEnd(decimals, '0'))
}

function written(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(digits.length - decimals)}`
}

interface SumLineProps {
  of: Parameters<typeof sumsByCurrency>[0]
  children?: ComponentChildren
}

/** `1,250.50 USD  20,000 JPY`, to the last digit, and what is said of them. */
export const SumLine = ({ of, children }: SumLineProps) => (
  <p class="sum-line">
    {sumsByCurrency(of).map(({ currency, sum }) => (
      <strong key={currency}>
        <Amount value={sum} asset={currency} />
      </strong>
    ))}
    {children}
  </p>
)
