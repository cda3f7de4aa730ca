import { formatUsd, formatUsdShort } from '../../format/amount'
import { formatDay } from '../../format/time'
import { barsOf } from './bars-of'
import type { NetDay } from './period-figures'

/** Up to this many bars have their value written above them. */
const mostLabelled = 16

/** What came in less what went out, of each day with movements. */
export function NetBars({ days }: { days: readonly NetDay[] }) {
  const { bars, zero } = barsOf(days.map(({ net }) => net))
  const isLabelled = days.length <= mostLabelled
  const step = Math.ceil(days.length / mostLabelled)
  return (
    <ol class="net-bars" aria-label="In less out, of each day with movements">
      {days.map((day, i) => (
        <li key={day.date} title={wordsOf(day)}>
          <span class={isLabelled ? 'net-value' : 'net-value visually-hidden'}>{signed(day.net)}</span>
          <svg
            class={day.net < 0 ? 'net-bar is-out' : 'net-bar'}
            viewBox="0 0 10 100"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect x="1.4" width="7.2" {...bars[i]} />
            <path class="net-zero" d={`M-1 ${zero}H11`} />
          </svg>
          <span class={(days.length - 1 - i) % step === 0 ? 'net-day' : 'net-day is-left-out'}>
            {formatDay(day.date)}
          </span>
        </li>
      ))}
    </ol>
  )
}

const signed = (net: number): string => `${net < 0 ? '−' : '+'}${formatUsdShort(Math.abs(net))}`

const wordsOf = ({ date, in: come, out, net }: NetDay): string =>
  `${formatDay(date)}: ${formatUsd(come)} in, ${formatUsd(out)} out, ${signed(net)}`
