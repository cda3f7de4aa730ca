import type { operations } from '#types/core-ledger'
import { wholeList } from '../api/list'
import { useRead } from '../api/read'
import { core } from '../api/services'
import { toWords } from '../format/words'
import { amountColumn } from './columns'
import { type Column, DataTable } from './data-table'
import { AssetAmount } from './names'
import { Empty } from './states'
import { Status } from './status'
import { Time } from './time'

const shown = 10

/** The newest transactions of an account or a customer, and a link to all of them. */
export function RecentTransactions({ of }: { of: { accountId: string } | { customerId: string } }) {
  const recent = useRead(['transactions', 'recent', of], (signal) =>
    core.GET('/transactions', { params: { query: { ...of, order: 'desc', limit: shown } }, signal }),
  )
  return (
    <DataTable
      title="Latest transactions"
      aside={
        <>
          {'accountId' in of ? <a href={`/console/statements?account=${of.accountId}`}>Statement</a> : null}
          <a href={`/console/transactions?${new URLSearchParams(of)}`}>All of them</a>
        </>
      }
      columns={columns}
      list={wholeList(recent.data, recent)}
      hrefOf={({ id }) => `/console/transactions/${id}`}
      empty={<Empty icon="transactions" title="No transactions yet" />}
    />
  )
}

type Row = operations['listTransactions']['responses'][200]['content']['application/json'][number]

const columns: readonly Column<Row>[] = [
  { head: 'Type', narrow: 'lead', cell: ({ type }) => toWords(type) },
  { head: 'Status', narrow: 'sub-end', cell: ({ status }) => <Status value={status} /> },
  amountColumn(({ amount, assetId }) => <AssetAmount value={amount} assetId={assetId} />),
  { head: 'Reference', narrow: 'hide', cell: ({ reference }) => reference },
  { head: 'Created', narrow: 'sub', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
