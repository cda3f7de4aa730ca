import { formatUsdShort } from '../../format/amount'
import { formatDay } from '../../format/time'
import type { OverviewData } from './overview-query'

/** The value held at the end of each day, as a line over a plane from zero. */
export function HeldLine({ days }: { days: OverviewData['series'] }) {
  const values = days.map(({ balances }) => balances.usdValue ?? 0)
  const highest = Math.max(...values, 1)
  const step = 100 / Math.max(1, values.length - 1)
  const points = values.map((value, i) => `${(i * step).toFixed(2)},${(100 - (value / highest) * 92).toFixed(2)}`)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <figure class="held">
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Held at the end of each day, ${formatUsdShort(highest)} at most`}
      >
        <polygon points={`0,100 ${points.join(' ')} 100,100`} />
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption>
        <span>{first ? `${formatDay(first.date)}: ${formatUsdShort(values[0] ?? 0)}` : null}</span>
        <span>{last ? `${formatDay(last.date)}: ${formatUsdShort(values.at(-1) ?? 0)}` : null}</span>
      </figcaption>
    </figure>
  )
}
