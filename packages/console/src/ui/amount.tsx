import { formatUsd, formatUsdShort, groupDigits } from '../format/amount'

/** An exact amount, as the service wrote it, and its asset's code. In a column, amounts meet at the decimal point. */
export function Amount({ value, asset }: { value: string; asset?: string }) {
  const text = groupDigits(value)
  const point = text.indexOf('.')
  return (
    <span class="amount">
      {point < 0 ? text : text.slice(0, point)}
      <span class="fraction">{point < 0 ? '' : text.slice(point)}</span>
      {asset ? <b> {asset}</b> : null}
    </span>
  )
}

/** The estimated value of an amount at today's rate, marked as an estimate. Null: no rate. */
export function Usd({ value, isShort }: { value: number | null | undefined; isShort?: boolean }) {
  if (value === undefined) return null
  if (value === null) return <span class="usd">no rate</span>
  return (
    <span class="usd" title={`About ${formatUsd(value)}, estimated at today's rate`}>
      <span class="usd-mark">≈</span> {isShort ? formatUsdShort(value) : formatUsd(value)}
    </span>
  )
}
