import { wholeList } from '../../api/list'
import { Amount } from '../../ui/amount'
import { Card } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { AccountName } from '../../ui/names'
import { Empty } from '../../ui/states'
import { type CustomerBalance, useCustomerBalances } from './customers-query'

/** The exact balances of a customer in the ledger, by account and asset. */
export function CustomerBalances({ id }: { id: string }) {
  const balances = useCustomerBalances(id)
  return (
    <Card title="Balances" isFlush>
      <DataTable
        label="Balances by account and asset"
        columns={columns}
        list={wholeList(balances)}
        idOf={({ accountId, assetId }) => `${accountId} ${assetId}`}
        empty={<Empty icon="accounts" title="Its accounts have never held anything" />}
      />
    </Card>
  )
}

const columns: readonly Column<CustomerBalance>[] = [
  { head: 'Account', narrow: 'sub', cell: ({ accountId }) => <AccountName id={accountId} /> },
  { head: 'Asset', narrow: 'lead', cell: ({ assetCode }) => <b>{assetCode}</b> },
  { head: 'Available', align: 'end', cell: ({ availableBalance }) => <Amount value={availableBalance} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozenBalance }) => <Amount value={frozenBalance} /> },
  { head: 'Total', align: 'end', narrow: 'end', cell: ({ totalBalance }) => <Amount value={totalBalance} /> },
]
