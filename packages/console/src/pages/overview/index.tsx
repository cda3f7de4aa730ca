import { useMemo } from 'preact/hooks'
import { wholeList } from '../../api/list'
import { useOpenWork } from '../../api/open-work'
import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Amount, Usd } from '../../ui/amount'
import { Figure } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Meter } from '../../ui/meter'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { Oldest } from '../../ui/time'
import { CompletedPerDay, HeldPerDay } from './day-plots'
import { NeedsYou } from './needs-you'
import { type OverviewData, useOverview } from './overview-query'
import { formatChange, periodFigures } from './period-figures'
import { inStatus } from './work-figures'

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

type Asset = OverviewData['byAsset'][number]

/** The total balance of each asset, the most valuable first. */
function AssetBalances({ data }: { data: OverviewData }) {
  const rows = [...data.byAsset].sort((one, other) => (other.balances.usdValue ?? -1) - (one.balances.usdValue ?? -1))
  const all = rows.reduce((sum, { balances }) => sum + (balances.usdValue ?? 0), 0)
  return (
    <DataTable
      title="Balances by asset"
      columns={columnsOf(all)}
      list={wholeList(rows)}
      idOf={({ assetId }) => assetId}
      empty={<Empty title="No asset yet">An administrator adds assets: POST /assets of the ledger’s API.</Empty>}
    />
  )
}

const columnsOf = (all: number): Column<Asset>[] => [
  { head: 'Asset', narrow: 'lead', cell: ({ assetCode }) => <b>{assetCode}</b> },
  { head: 'Network', narrow: 'sub', cell: ({ network }) => network },
  amountColumn(({ balances }) => <Amount value={balances.amount} />),
  { head: 'USD', align: 'end', narrow: 'sub-end', cell: ({ balances }) => <Usd value={balances.usdValue} /> },
  {
    head: 'Share',
    narrow: 'hide',
    cell: ({ assetCode, balances }) => {
      const share = all === 0 ? 0 : ((balances.usdValue ?? 0) / all) * 100
      return <Meter value={share} words={`${assetCode}: ${share.toFixed(1)} % of all`} />
    },
  },
]

const kinds = [
  { status: 'FROZEN', label: 'Frozen, to review', tone: 'wait', href: '/console/review' },
  { status: 'PENDING', label: 'Pending screening', tone: undefined, href: '/console/transactions?status=PENDING' },
  {
    status: 'APPROVED',
    label: 'Approved, on their way',
    tone: undefined,
    href: '/console/transactions?status=APPROVED',
  },
] as const

/** The work that waits, with the age of the oldest, and the value held. */
function WorkFigures({ overview, heldChange }: { overview: OverviewData | undefined; heldChange: number | null }) {
  const { data } = useOpenWork()
  return (
    <div class="figures">
      {kinds.map(({ status, label, tone, href }) => {
        const figure = data ? inStatus(data.counts, status) : null
        return (
          <Figure
            key={status}
            label={label}
            href={href}
            tone={figure?.count ? tone : undefined}
            value={figure ? formatCount(figure.count) : '–'}
            note={figure?.oldestAt ? <Oldest at={figure.oldestAt} /> : null}
          />
        )
      })}
      <Figure
        label="Stuck"
        href="/console/transactions?view=stuck"
        tone={data?.stuckCount ? 'bad' : undefined}
        value={data ? `${formatCount(data.stuckCount)}${data.stuckCount === 100 ? '+' : ''}` : '–'}
        note={data?.stuckCount === 0 ? 'none late' : 'late, or failed but paid'}
      />
      <Figure
        label="Held for customers"
        value={overview ? <Usd value={overview.totals.balances.usdValue} isShort /> : '–'}
        note={overview ? <HeldNote unpriced={overview.unpriced.length} change={heldChange} /> : null}
      />
    </div>
  )
}

/** What the estimate leaves out, and the change in the period. */
const HeldNote = ({ unpriced, change }: { unpriced: number; change: number | null }) => (
  <>
    {unpriced > 0 ? `+ ${counted(unpriced, 'asset')} without a rate` : "at today's rates"}
    {change === null ? null : <>, {formatChange(change)}</>}
  </>
)
