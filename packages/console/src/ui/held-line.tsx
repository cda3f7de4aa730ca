import { formatUsdShort } from '../format/amount'
import { formatDay } from '../format/time'

interface Held {
  date: string
  usd: number
}

const wordsOf = (day: Held | undefined) => (day ? `${formatDay(day.date)}: ${formatUsdShort(day.usd)}` : null)

/** The value held at the end of each day, as a line over a plane from zero. */
export function HeldLine({ of }: { of: readonly Held[] }) {
  const highest = Math.max(...of.map(({ usd }) => usd), 1)
  const step = 100 / Math.max(1, of.length - 1)
  const points = of.map(({ usd }, i) => `${(i * step).toFixed(2)},${(100 - (usd / highest) * 92).toFixed(2)}`)
  const [first, last] = [of[0], of.at(-1)]
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
        <span>{wordsOf(first)}</span>
        <span>{wordsOf(last)}</span>
      </figcaption>
    </figure>
  )
}
