import { wholeList } from '../../api/list'
import { Amount, Usd } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Meter } from '../../ui/meter'
import { Empty } from '../../ui/states'
import type { OverviewData } from './overview-query'

type Asset = OverviewData['byAsset'][number]

/** The total balance of each asset, the most valuable first. */
export function AssetBalances({ data }: { data: OverviewData }) {
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
