import { useMemo } from 'preact/hooks'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { AssetBalances } from './asset-balances'
import { CompletedPerDay, HeldPerDay } from './day-plots'
import { WorkFigures } from './figures'
import { NeedsYou } from './needs-you'
import { type OverviewData, useOverview } from './overview-query'
import { periodFigures } from './period-figures'

const ranges = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const

/** Up to this many days with movements fill half of a wide page. */
const fewDays = 8

/** For staff: what needs a person now, then the whole platform. */
export default function Overview() {
  const range = useTabs('days', ranges, '30')
  const days = Number(range.value)
  const overview = useOverview(days)
  const figures = useFigures(overview.data, days)
  return (
    <Page title="Overview" actions={<Tabs label="How many days" of={range} />}>
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
