import { useAssets } from '../../api/names'
import { serviceUrl } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { amountColumn } from '../../ui/columns'
import { CsvLink } from '../../ui/csv-link'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { AccountName, AssetAmount } from '../../ui/names'
import type { Option } from '../../ui/options'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { type View, Views } from '../../ui/views'
import { useOwnAccounts } from '../accounts/accounts-query'
import { StuckTransactions } from './stuck-transactions'
import { type FilterName, fieldsOf, filterNames } from './transaction-filters'
import { type Transaction, useQueryOf, useStuck, useTransactions } from './use-transactions'
import { ownerColumn, whatColumn } from './what-column'

/** All transactions, with filters in the URL; and the stuck ones. */
export default function Transactions() {
  const view = useFilters(['view'])
  const given = useFilters(filterNames)
  const isStaff = useCan('read')
  const own = useOwnAccounts(!isStaff)
  const filters = withAccount(given, own.data?.[0]?.id)
  const { fourEyesUsd } = useSession()
  const isStuck = isStaff && view.values.view === 'stuck'
  const query = useQueryOf(filters.values)
  const { rows } = useStuck(isStaff)
  const hasList = isStaff || filters.values.accountId !== '' || filters.values.customerId !== ''
  return (
    <Page
      title="Transactions"
      actions={
        isStuck || !hasList ? null : (
          <CsvLink href={serviceUrl('core', '/transactions/export')} query={{ ...query, order: 'desc' }} />
        )
      }
    >
      {isStaff ? <Views page="/console/transactions" views={viewsOf(fourEyesUsd, rows?.length)} /> : null}
      {isStuck ? (
        <StuckTransactions />
      ) : isStaff ? (
        <AllTransactions filters={filters} />
      ) : (
        <Loaded of={own} lines={8}>
          {(accounts) => <AllTransactions filters={filters} accounts={accounts} />}
        </Loaded>
      )}
    </Page>
  )
}

/** An institution reads one account at a time: its first one, unless it has chosen. */
function withAccount(filters: BoundFilters<FilterName>, first: string | undefined): BoundFilters<FilterName> {
  const { accountId, customerId } = filters.values
  if (first === undefined || accountId || customerId) return filters
  return { ...filters, values: { ...filters.values, accountId: first } }
}

/** From this value on a transaction is large where no other limit is set. */
const largeUsd = 10_000

const viewsOf = (fourEyesUsd: number | null, stuck: number | undefined): View[] => [
  { name: 'All', query: '' },
  { name: 'Frozen', query: 'status=FROZEN' },
  { name: 'Stuck', query: 'view=stuck', count: stuck || null },
  { name: 'Failed today', query: 'status=FAILED&from=today' },
  { name: 'Large', query: `minUsd=${fourEyesUsd ?? largeUsd}&from=30d` },
]

interface Props {
  filters: BoundFilters<FilterName>
  /** Of the user's institution; undefined for staff. */
  accounts?: readonly Option[]
}

/** The list with its filters. */
function AllTransactions({ filters, accounts }: Props) {
  const isStaff = useCan('read')
  const assets = useAssets().data?.values() ?? []
  const query = useQueryOf(filters.values)
  const list = useTransactions(query, isStaff || Boolean(query.accountId || query.customerId))
  if (accounts?.length === 0) return <Empty icon="accounts" title="Your institution has no account yet" />
  return (
    <>
      <Filters label="Filter transactions" of={filters} fields={fieldsOf([...assets], accounts)} />
      <DataTable
        label="Transactions, newest first"
        columns={isStaff ? staffColumns : ownColumns}
        list={list}
        hrefOf={({ id }) => `/console/transactions/${id}`}
        empty={<NoneFound isFiltered={filters.hasAny} clear={filters.clear} />}
      />
    </>
  )
}

const first: readonly Column<Transaction>[] = [
  { head: 'Created', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  whatColumn,
]
const rest: readonly Column<Transaction>[] = [
  amountColumn(({ amount, assetId }) => <AssetAmount value={amount} assetId={assetId} />),
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
const ownColumns: readonly Column<Transaction>[] = [...first, ...rest]
const staffColumns: readonly Column<Transaction>[] = [...first, ownerColumn, ...rest]

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
