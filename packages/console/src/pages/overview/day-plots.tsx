import { useMemo } from 'preact/hooks'
import { formatCount, formatUsd, formatUsdShort } from '../../format/amount'
import { formatDay } from '../../format/time'
import { Card } from '../../ui/card'
import { HeldLine } from '../../ui/held-line'
import { NetBars } from './net-bars'
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

function DayTable({ days }: { days: readonly NetDay[] }) {
  const rows = useMemo(() => days.toReversed(), [days])
  return (
    <details>
      <summary>The days as a table</summary>
      <table class="table" aria-label="What came in and went out each day">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="is-end">
              In
            </th>
            <th scope="col" class="is-end">
              Out
            </th>
            <th scope="col" class="is-end">
              Net
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((day) => (
            <tr key={day.date}>
              <th scope="row">{formatDay(day.date)}</th>
              <td class="is-end">{formatUsd(day.in)}</td>
              <td class="is-end">{formatUsd(day.out)}</td>
              <td class="is-end">{formatUsd(day.net)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

export const HeldPerDay = ({ of }: { of: Figures }) => (
  <Card title="Held, end of day" aside="USD, estimated at today's rates">
    <HeldLine of={of.days.map(({ date, balances }) => ({ date, usd: balances.usdValue ?? 0 }))} />
  </Card>
)
