import { formatCount, formatUsd, formatUsdShort } from '../../format/amount'
import { formatDay } from '../../format/time'
import { Card } from '../../ui/card'
import { HeldLine } from '../../ui/held-line'
import { PlainTable } from '../../ui/plain-table'
import { barsOf } from './bars-of'
import type { OverviewData } from './overview-query'
import { formatChange, type KindFigure, type NetDay, type periodFigures } from './period-figures'

type Figures = ReturnType<typeof periodFigures>

const kinds = [
  { name: 'deposits', label: 'Deposits' },
  { name: 'withdrawals', label: 'Withdrawals' },
  { name: 'transfers', label: 'Transfers' },
] as const

/** What was completed in the period: the sums with their change, and what remained of each day. */
export function CompletedPerDay({ of, unpriced }: { of: Figures; unpriced: OverviewData['unpriced'] }) {
  return (
    <Card title="Completed per day" aside="Bars: in less out. USD at today's rates, days in UTC">
      <dl class="sums">
        {kinds.map(({ name, label }) => (
          <Sum key={name} label={label} of={of[name]} />
        ))}
      </dl>
      {unpriced.length > 0 ? <p class="hint">Without {unpriced.join(', ')}, which no provider prices.</p> : null}
      {of.netDays.length === 0 ? (
        <p class="hint">Nothing came in or went out in this time.</p>
      ) : (
        <>
          <NetBars days={of.netDays} />
          <DayTable days={of.netDays} />
        </>
      )}
    </Card>
  )
}

function Sum({ label, of: { usd, count, change } }: { label: string; of: KindFigure }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong>{formatUsdShort(usd)}</strong> <span class="hint">{formatCount(count)}</span>
        {change === null ? null : (
          <span class="hint" title="Against as many days before">
            {' '}
            {formatChange(change)}
          </span>
        )}
      </dd>
    </div>
  )
}

const DayTable = ({ days }: { days: readonly NetDay[] }) => (
  <details>
    <summary>The days as a table</summary>
    <PlainTable
      label="What came in and went out each day"
      heads={['Day', 'In', 'Out', 'Net']}
      rows={days
        .toReversed()
        .map((day) => [formatDay(day.date), formatUsd(day.in), formatUsd(day.out), formatUsd(day.net)])}
    />
  </details>
)

export const HeldPerDay = ({ of }: { of: Figures }) => (
  <Card title="Held, end of day" aside="USD, estimated at today's rates">
    <HeldLine of={of.days.map(({ date, balances }) => ({ date, usd: balances.usdValue ?? 0 }))} />
  </Card>
)

/** Up to this many bars have their value written above them. */
const mostLabelled = 16

/** What came in less what went out, of each day with movements. */
function NetBars({ days }: { days: readonly NetDay[] }) {
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
