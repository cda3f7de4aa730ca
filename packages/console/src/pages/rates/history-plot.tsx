import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { components } from '#types/quote'
import { useStore } from '../../api/store'
import { formatDuration, formatTime } from '../../format/time'
import { Plot } from '../../ui/plot'
import { zoneStore } from '../../ui/preferences'
import { Empty } from '../../ui/states'
import { Ago, Time } from '../../ui/time'
import { rateText, UsdRate } from './usd-rate'

type RateHistory = components['schemas']['RateHistory']

/** The rates of a period as a line, with the last rate in large type and its providers. */
export function HistoryPlot({ of, askNow }: { of: RateHistory; askNow: ComponentChildren }) {
  const zone = useStore(zoneStore)
  const x = useMemo(() => of.points.map(({ timestamp }) => Date.parse(timestamp) / 1000), [of])
  const values = useMemo(() => of.points.map(({ rate }) => rate), [of])
  const last = of.points.at(-1)
  // Within an hour the date is redundant, and seconds matter.
  const digits = (x.at(-1) ?? 0) - (x[0] ?? 0) < 3600 ? ([11, 19] as const) : ([5, 16] as const)
  if (!last) {
    return (
      <Empty icon="rates" title="No rate was requested in this time">
        <p>A rate is stored whenever it is requested: choose a longer time, or ask now.</p>
        {askNow}
      </Empty>
    )
  }
  return (
    <>
      <div class="row rate-last">
        <p class="figure-value">
          <UsdRate value={last.rate} />
        </p>
        <p class="none">
          as of <Time at={last.timestamp} zone />, <Ago at={last.timestamp} />
        </p>
        <Givers of={last.providers} />
        {askNow}
      </div>
      {of.points.length > 1 ? (
        <Plot
          label={`${of.asset?.code ?? 'The asset'} in USD`}
          x={x}
          unit="USD"
          values={values}
          format={rateText}
          formatX={(seconds) => formatTime(new Date(seconds * 1000).toISOString(), zone).slice(...digits)}
          tableTitle="The rates as a table"
        />
      ) : (
        <p class="none">There is only one rate: with the next one there is a line.</p>
      )}
      <p class="none">
        {of.intervalSeconds === null
          ? 'Every stored rate of this time.'
          : `The last rate of every ${formatDuration(of.intervalSeconds * 1000)}.`}
      </p>
    </>
  )
}

/** The price of each provider for the last rate. */
function Givers({ of }: { of: Readonly<Record<string, number>> }) {
  const given = Object.entries(of)
  if (given.length === 0) return <p class="none">A fixed value: no provider was asked.</p>
  return (
    <ul class="row rate-givers">
      {given.map(([slug, rate]) => (
        <li key={slug}>
          {slug} <span class="amount">{rateText(rate)}</span>
        </li>
      ))}
    </ul>
  )
}
