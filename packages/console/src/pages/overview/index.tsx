import { useMemo } from 'preact/hooks'
import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { AssetBalances } from './asset-balances'
import { CompletedPerDay, HeldPerDay } from './day-plots'
import { WorkFigures } from './figures'
import { NeedsYou } from './needs-you'
import { type OverviewData, useOverview } from './overview-query'
import { periodFigures } from './period-figures'

const ranges = [
  { value: '7', words: '7 days' },
  { value: '30', words: '30 days' },
  { value: '90', words: '90 days' },
]

/** Up to this many days with movements fill half of a wide page. */
const fewDays = 8

/** For staff: what needs a person now, then the whole platform. */
export default function Overview() {
  const filters = useFilters(['days'])
  const days = ranges.some(({ value }) => value === filters.values.days) ? filters.values.days : '30'
  const overview = useOverview(Number(days))
  const figures = useFigures(overview.data, Number(days))
  return (
    <Page
      title="Overview"
      actions={
        <Tabs
          label="How many days"
          tabs={ranges}
          value={days}
          onChange={(value) => filters.set('days', value === '30' ? '' : value)}
        />
      }
    >
      <NeedsYou />
      <WorkFigures overview={overview.data} heldChange={figures?.heldChange ?? null} />
      <Loaded of={overview} lines={12}>
        {(data) =>
          figures ? (
            <div class={figures.netDays.length > fewDays ? 'columns is-halves days' : 'columns is-halves days is-few'}>
              <CompletedPerDay of={figures} unpriced={data.unpriced} />
              <HeldPerDay of={figures} />
              <AssetBalances data={data} />
            </div>
          ) : null
        }
      </Loaded>
    </Page>
  )
}

const useFigures = (data: OverviewData | undefined, days: number) =>
  useMemo(() => (data ? periodFigures(data.series, days) : null), [data, days])
