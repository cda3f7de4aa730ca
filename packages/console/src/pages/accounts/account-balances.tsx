import { wholeList } from '../../api/list'
import { Amount, Usd } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty } from '../../ui/states'
import { type Balance, useBalances, useWorth } from './accounts-query'

/** An account's balances in the ledger by asset, with their estimated value. */
export function AccountBalances({ id }: { id: string }) {
  const balances = useBalances(id)
  const worth = useWorth(id)
  const usdOf = new Map(worth.data?.assets.map(({ asset, usdValue }) => [asset.symbol, usdValue]))
  return (
    <DataTable
      title="Balances"
      aside={
        worth.data ? (
          <Usd value={worth.data.totalBalance} />
        ) : worth.error ? (
          <span title={worth.error.message}>no estimate in USD</span>
        ) : null
      }
      label="Balances by asset"
      columns={columnsWith(usdOf)}
      list={wholeList(balances.data, balances)}
      idOf={({ assetId }) => assetId}
      empty={<Empty icon="accounts" title="It has never held anything" />}
    />
  )
}

const columnsWith = (usdOf: ReadonlyMap<string, number>): readonly Column<Balance>[] => [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ assetCode, assetName }) => (
      <>
        <b>{assetCode}</b> <span class="none">{assetName}</span>
      </>
    ),
  },
  { head: 'Available', align: 'end', cell: ({ availableBalance }) => <Amount value={availableBalance} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozenBalance }) => <Amount value={frozenBalance} /> },
  amountColumn(({ totalBalance }) => <Amount value={totalBalance} />, 'Total'),
  {
    head: 'USD',
    align: 'end',
    narrow: 'sub-end',
    cell: ({ assetCode }) => <Usd value={usdOf.get(assetCode)} />,
  },
]
