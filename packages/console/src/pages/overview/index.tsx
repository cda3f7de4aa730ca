import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { preloadPlots } from '../../ui/plot'
import { Loaded } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { AssetBalances } from './asset-balances'
import { CompletedPerDay, HeldPerDay } from './day-plots'
import { OpenWork } from './open-work'
import { useOverview } from './overview-query'

const ranges = [
  { value: '7', words: '7 days' },
  { value: '30', words: '30 days' },
  { value: '90', words: '90 days' },
]

preloadPlots()

/** For staff: the whole platform. */
export default function Overview() {
  const filters = useFilters(['days'])
  const days = ranges.some(({ value }) => value === filters.values.days) ? filters.values.days : '30'
  const overview = useOverview(Number(days))
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
      <OpenWork overview={overview.data} />
      <Loaded of={overview} lines={12}>
        {(data) => (
          <>
            <CompletedPerDay data={data} />
            <div class="columns is-halves">
              <HeldPerDay data={data} />
              <AssetBalances data={data} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}
