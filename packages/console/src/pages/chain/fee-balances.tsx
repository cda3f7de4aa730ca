import { wholeList } from '../../api/list'
import { Amount } from '../../ui/amount'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { type FeeBalance, useFees } from './chain-queries'

/** The balances of the fee payers' addresses, and what they need. */
export function FeeBalances() {
  const fees = useFees()
  return (
    <DataTable
      title="Fee payers"
      label="Balances of fee payers"
      columns={columns}
      list={wholeList(fees.data, fees)}
      idOf={({ network, address, accountId }) => `${network} ${address} ${accountId}`}
      empty={<Empty icon="chain" title="No network can be used" />}
    />
  )
}

const columns: Column<FeeBalance>[] = [
  { head: 'Network', narrow: 'lead', cell: ({ network }) => <b>{network}</b> },
  {
    head: 'Pays',
    narrow: 'sub',
    cell: ({ accountId }) =>
      accountId ? <AccountName id={accountId} /> : <span class="none">the deployment itself</span>,
  },
  { head: 'Address', cell: ({ address }) => <Id value={address} /> },
  amountColumn(
    ({ balance, code }) =>
      balance === null ? <span class="none">not known</span> : <Amount value={balance} asset={code} />,
    'Holds',
  ),
  {
    head: 'Needed for the next',
    align: 'end',
    needsRoom: true,
    cell: ({ needed, code, kind }) => (kind === 'simulated' ? null : <Amount value={needed} asset={code} />),
  },
  { head: 'Orders', align: 'end', cell: ({ openOrders }) => openOrders || null },
  {
    head: 'State',
    narrow: 'sub-end',
    cell: ({ isLow, kind }) =>
      kind === 'simulated' ? (
        <Badge>no fees</Badge>
      ) : isLow === null ? (
        <Badge>unknown</Badge>
      ) : isLow ? (
        <Status value="low" tone="wait" />
      ) : (
        <Status value="ok" />
      ),
  },
]
