import { useMemo } from 'preact/hooks'
import { formatCount, formatUsdShort } from '../../format/amount'
import { formatDay } from '../../format/time'
import { Card } from '../../ui/card'
import { Plot } from '../../ui/plot'
import type { PlotSeries } from '../../ui/plot-props'
import { Note } from '../../ui/states'
import { daySeconds, type OverviewData } from './overview-query'

const dayOf = (seconds: number) => formatDay(new Date(seconds * 1000).toISOString().slice(0, 10))
const kinds = [
  { name: 'deposits', label: 'Deposits', tone: 'good' },
  { name: 'withdrawals', label: 'Withdrawals', tone: 'out' },
  { name: 'transfers', label: 'Transfers', tone: 'move' },
] as const

/** Deposits above the line, withdrawals below it, transfers as a line over both. */
export function CompletedPerDay({ data }: { data: OverviewData }) {
  const x = useMemo(() => data.series.map(({ date }) => daySeconds(date)), [data])
  const series = useMemo(
    (): PlotSeries[] =>
      kinds.map(({ name, label, tone }) => ({
        label,
        tone,
        kind: name === 'transfers' ? 'line' : 'bars',
        values: data.series.map((day) => signed(name, day[name].usdValue)),
        total: (
          <>
            <strong>{usdOr(data.totals[name].usdValue)}</strong> <small>{formatCount(data.totals[name].count)}</small>
          </>
        ),
      })),
    [data],
  )
  return (
    <Card title="Completed per day" aside="USD, estimated at today's rates; days in UTC">
      {data.unpriced.length > 0 ? (
        <Note tone="wait">There is no rate for {data.unpriced.join(', ')}: days with it have no figure.</Note>
      ) : null}
      <Plot
        label="Deposits, withdrawals and transfers per day in USD"
        x={x}
        series={series}
        format={unsigned}
        formatX={dayOf}
        tableTitle="The days as a table"
      />
    </Card>
  )
}

const signed = (name: string, value: number | null): number | null =>
  value !== null && name === 'withdrawals' ? -value : value
/** Values below the line are shown without a sign. */
const unsigned = (value: number): string => formatUsdShort(Math.abs(value))
const usdOr = (value: number | null): string => (value === null ? 'no rate' : formatUsdShort(value))

export function HeldPerDay({ data }: { data: OverviewData }) {
  const x = useMemo(() => data.series.map(({ date }) => daySeconds(date)), [data])
  const series = useMemo(
    (): PlotSeries[] => [
      {
        label: 'Held',
        kind: 'area',
        tone: 'good',
        values: data.series.map(({ balances }) => balances.usdValue),
        total: <strong>{usdOr(data.totals.balances.usdValue)}</strong>,
      },
    ],
    [data],
  )
  return (
    <Card title="Held, end of day" aside="USD, estimated at today's rates">
      <Plot label="Held at the end of each day in USD" x={x} series={series} format={formatUsdShort} formatX={dayOf} />
    </Card>
  )
}
