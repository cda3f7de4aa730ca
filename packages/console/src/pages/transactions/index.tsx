import { useState } from 'preact/hooks'
import { useAssets } from '../../api/names'
import { serviceUrl } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { counted, shortenIds } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { amountColumn } from '../../ui/columns'
import { CsvLink } from '../../ui/csv-link'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { AccountName, AssetAmount, OwnerName } from '../../ui/names'
import type { Option } from '../../ui/options'
import { Page } from '../../ui/page'
import { RunDialog } from '../../ui/run-dialog'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age, In, Time } from '../../ui/time'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { type View, Views } from '../../ui/views'
import { useOwnAccounts } from '../accounts/accounts-query'
import { decide, readAgain } from './decide'
import { kindWord } from './kind'
import { byCause, causeOf, type StuckCause } from './stuck-cause'
import { type FilterName, fieldsOf, filterNames } from './transaction-filters'
import { type Stuck, type Transaction, useQueryOf, useStuck, useTransactions } from './use-transactions'
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

/** Approved transactions that were not carried out, by their cause, with what to do; oldest first. */
function StuckTransactions() {
  const read = useStuck()
  const mayAct = useCan('operate')
  const list = { ...read, rows: read.rows && byCause(read.rows) }
  const [open, setOpen] = useState<Retried | null>(null)
  return (
    <>
      <DataTable
        label="Stuck transactions, oldest first"
        columns={stuckColumns}
        list={list}
        hrefOf={({ id }) => `/console/transactions/${id}`}
        groupOf={({ reason, status }) => {
          const cause = causeOf(reason, status)
          return { key: cause.key, head: <CauseHead cause={cause} all={list.rows} retry={mayAct ? setOpen : null} /> }
        }}
        empty={
          <Empty icon="check" title="Nothing is stuck">
            <p>
              An approved transaction appears here when an attempt fails, or when it is not completed after 15 minutes.
            </p>
          </Empty>
        }
      />
      {open ? <RetryMany {...open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

interface Retried {
  cause: StuckCause
  of: readonly Stuck[]
}

/** Why they wait, what to do, and the button that tries all of them. */
function CauseHead({
  cause,
  all = [],
  retry,
}: {
  cause: StuckCause
  all: readonly Stuck[] | undefined
  retry: ((of: Retried) => void) | null
}) {
  const of = all.filter(({ reason, status }) => causeOf(reason, status).key === cause.key)
  return (
    <span class="row review-group">
      <span>
        <strong>{cause.title}</strong> <span class="hint">{cause.advice}</span>
      </span>
      {retry && cause.key !== 'paid after all' ? (
        <Button isSmall icon="refresh" onClick={() => retry({ cause, of })}>
          {of.length === 1 ? 'Try it now…' : `Try all ${of.length} now…`}
        </Button>
      ) : null}
    </span>
  )
}

/** Its own account is named in the row. */
const whyOf = (reason: string, accountId: string): string =>
  shortenIds(reason.replace(`Account ${accountId}`, 'The account').replace(`account ${accountId}`, 'the account'))

const stuckColumns: Column<Stuck>[] = [
  { head: 'Waits', narrow: 'sub-end', cell: ({ queuedAt }) => <Age since={queuedAt} isShort /> },
  whatColumn,
  { ...ownerColumn, isWide: false },
  amountColumn(({ amount, assetCode }) => <Amount value={amount} asset={assetCode} />),
  { head: 'Network', narrow: 'hide', needsRoom: 'much', cell: ({ network }) => network },
  { head: 'Status', narrow: 'sub', needsRoom: true, cell: ({ status }) => <Status value={status} /> },
  {
    head: 'Why',
    isWide: true,
    cell: ({ reason, accountId }) =>
      reason ? whyOf(reason, accountId) : <span class="none">waits for its network</span>,
  },
  { head: 'Attempts', align: 'end', needsRoom: true, cell: ({ attempts }) => attempts },
  { head: 'Next', cell: ({ nextAttemptAt }) => <NextAttempt at={nextAttemptAt} /> },
]

function NextAttempt({ at }: { at: string | null }) {
  if (at === null) return <b>Settle it by hand</b>
  return Date.parse(at) <= Date.now() ? <>now</> : <In at={at} />
}

/** Brings the next attempts of all transactions of one cause forward. */
function RetryMany({ of, cause, onClose }: Retried & { onClose(): void }) {
  return (
    <RunDialog
      title={`Try ${counted(of.length, 'transaction')} now?`}
      verb="Try"
      thing="transaction"
      note={{ label: 'Note', hint: 'Kept with each transaction, for colleagues and auditors.' }}
      of={of}
      send={(item, input) => decide('retry', item, input)}
      readAgain={readAgain}
      done={(results) => `${counted(results.length, 'attempt')} brought forward`}
      name={({ type, amount, assetCode, accountId }) => (
        <>
          <strong>{kindWord(type)}</strong> <Amount value={amount} asset={assetCode} />{' '}
          <OwnerName accountId={accountId} />
        </>
      )}
      onClose={onClose}
    >
      <p>
        <strong>{cause.title}.</strong> {cause.advice}
      </p>
      <p>Their next attempts begin at once instead of at their times. Nothing is paid twice.</p>
    </RunDialog>
  )
}
