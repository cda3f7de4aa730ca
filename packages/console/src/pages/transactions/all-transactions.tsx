import { useSession } from '../../api/session'
import { Amount } from '../../ui/amount'
import { LinkButton } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { type BoundFilters, Filters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { type FilterName, fieldsOf } from './transaction-filters'
import { useAssets } from './use-assets'
import { type Transaction, useQueryOf, useTransactions } from './use-transactions'
import { ownerColumn, whatColumn } from './what-column'

/** The list with its filters. Users of an institution see one account at a time. */
export function AllTransactions({ filters }: { filters: BoundFilters<FilterName> }) {
  const { user } = useSession()
  const assets = useAssets()
  const query = useQueryOf(filters.values)
  const needsAccount = user.participantId !== null && !filters.values.accountId && !filters.values.customerId
  const list = useTransactions(query, !needsAccount)
  if (needsAccount) return <ChooseAccount participantId={user.participantId ?? ''} />
  return (
    <>
      <Filters label="Filter transactions" of={filters} fields={fieldsOf(assets, filters.values)} />
      <DataTable
        label="Transactions, newest first"
        columns={columnsOf(new Map(assets.map(({ id, code }) => [id, code])), user.participantId === null)}
        list={list}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/console/transactions/${id}`}
        empty={<NoneFound isFiltered={filters.hasAny} clear={filters.clear} />}
      />
    </>
  )
}

const columnsOf = (codes: ReadonlyMap<string, string>, isStaff: boolean): Column<Transaction>[] => [
  { head: 'Created', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  whatColumn,
  ...(isStaff ? [ownerColumn] : []),
  {
    head: 'Amount',
    align: 'end',
    narrow: 'end',
    cell: ({ amount, assetId }) => <Amount value={amount} asset={codes.get(assetId)} />,
  },
  { head: 'Network', narrow: 'hide', needsRoom: true, cell: ({ network }) => network },
  { head: 'Status', narrow: 'sub', cell: ({ status }) => <Status value={status} /> },
  { head: 'Counterparty', narrow: 'hide', needsRoom: true, cell: (row) => <Counterparty of={row} /> },
  {
    head: 'Reference',
    narrow: 'hide',
    needsRoom: true,
    cell: ({ reference }) => reference,
  },
  { head: 'Hash', narrow: 'hide', needsRoom: 'much', cell: ({ txHash }) => <Id value={txHash} isBare /> },
]

function Counterparty({ of: { type, toAccountId, sourceAddress, destinationAddress } }: { of: Transaction }) {
  if (type === 'TRANSFER') return toAccountId ? <AccountName id={toAccountId} isPlain /> : null
  return <Id value={type === 'DEPOSIT' ? sourceAddress : destinationAddress} isBare />
}

function NoneFound({ isFiltered, clear }: { isFiltered: boolean; clear(): void }) {
  if (!isFiltered) {
    return (
      <Empty icon="transactions" title="No transaction yet">
        <p>Deposits appear when they are confirmed on chain, withdrawals and transfers when they are ordered.</p>
      </Empty>
    )
  }
  return (
    <Empty icon="search" title="No transaction matches these filters">
      <p>References must match exactly. To find an id, use the search above.</p>
      <button type="button" class="button is-plain" onClick={clear}>
        Clear the filters
      </button>
    </Empty>
  )
}

const ChooseAccount = ({ participantId }: { participantId: string }) => (
  <Empty icon="accounts" title="Choose an account">
    <p>Your institution’s transactions are listed for each of its accounts.</p>
    <LinkButton look="main" href={`/console/participants/${participantId}`}>
      Accounts of your institution
    </LinkButton>
  </Empty>
)
