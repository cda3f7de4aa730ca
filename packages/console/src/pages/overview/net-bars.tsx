import { formatUsd, formatUsdShort } from '../../format/amount'
import { formatDay } from '../../format/time'
import type { NetDay } from './period-figures'

/** Up to this many bars have their value written above them. */
const mostLabelled = 16

/** What came in less what went out, of each day with movements: all bars go up, sign and colour say which way. */
export function NetBars({ days }: { days: readonly NetDay[] }) {
  const highest = Math.max(...days.map(({ net }) => Math.abs(net)), 1)
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
            <rect x="0" y={100 - heightOf(day, highest)} width="10" height={heightOf(day, highest)} />
          </svg>
          <span class={(days.length - 1 - i) % step === 0 ? 'net-day' : 'net-day is-left-out'}>
            {formatDay(day.date)}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** At least a line. */
const heightOf = ({ net }: NetDay, highest: number): number => Math.max(1, (Math.abs(net) / highest) * 100)

const signed = (net: number): string => `${net < 0 ? '−' : '+'}${formatUsdShort(Math.abs(net))}`

const wordsOf = ({ date, in: come, out, net }: NetDay): string =>
  `${formatDay(date)}: ${formatUsd(come)} in, ${formatUsd(out)} out, ${signed(net)}`
