import { useList } from '../../api/list'
import { useRead } from '../../api/read'
import { bodyPageOf, main, payments } from '../../api/services'
import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { Figure } from '../../ui/card'
import { DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty, ErrorNote } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { Oldest } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { inStatus } from '../overview/work-figures'
import { Banks } from './banks'
import { CreditLines } from './credit-lines'
import { statuses, typeWords } from './moves-of'
import { type PaymentStatus, queryOf } from './payment'
import { paymentColumns } from './payment-columns'
import { Payments } from './payments'

const tabs = [
  ['', 'Payments'],
  ['banks', 'Custodian banks'],
  ['credit', 'Credit lines'],
] as const

/** Money at banks: payments, custodian banks and credit lines. */
export default function Bank() {
  const isStaff = useCan('read')
  const view = useTabs('view', tabs)
  if (!isStaff) return <CustodianPayments />
  return (
    <Page title="Bank money">
      <OpenPayments />
      <Tabs label="What is shown" of={view} />
      {view.value === 'banks' ? <Banks /> : view.value === 'credit' ? <CreditLines /> : <Payments />}
    </Page>
  )
}

/** For the people of a custodian bank: the payments of the accounts that it keeps. */
function CustodianPayments() {
  const filters = useFilters(['search', 'type', 'status'])
  const asked = queryOf(filters.values)
  const list = useList({
    key: ['payments', 'custodian', asked],
    page: (_after, limit, signal, offset) =>
      bodyPageOf(main.GET('/custodian-bank/transactions', { params: { query: { ...asked, limit, offset } }, signal })),
    everyMs: 15_000,
  })
  return (
    <Page title="Bank money">
      <Filters
        label="Filter payments"
        of={filters}
        fields={[
          { kind: 'text', name: 'search', label: 'Participant, reference, hash or id', isWide: true },
          { kind: 'choice', name: 'type', label: 'Type', options: Object.entries(typeWords) },
          { kind: 'choice', name: 'status', label: 'Status', options: statuses },
        ]}
      />
      <DataTable
        label="Payments"
        columns={paymentColumns}
        list={list}
        empty={<Empty icon="bank" title={filters.hasAny ? 'No payment matches these filters' : 'No payment yet'} />}
      />
    </Page>
  )
}

const kinds: { status: PaymentStatus; label: string; tone?: 'wait' | 'bad' }[] = [
  { status: 'PENDING', label: 'To decide', tone: 'wait' },
  { status: 'IN_REVIEW', label: 'In review', tone: 'wait' },
  { status: 'APPROVED', label: 'To send' },
  { status: 'PROCESSING', label: 'At the bank' },
  { status: 'FAILED', label: 'Failed', tone: 'bad' },
]

/** The payments that need somebody's action, with the age of the oldest. */
function OpenPayments() {
  const counts = useRead(['payments', 'counts'], (signal) => payments.GET('/transactions/counts', { signal }), {
    refetchInterval: 15_000,
  })
  if (counts.error && !counts.data) return <ErrorNote error={counts.error} retry={() => void counts.refetch()} />
  return (
    <div class="figures">
      {kinds.map(({ status, label, tone }) => {
        const figure = counts.data && inStatus(counts.data, status)
        return (
          <Figure
            key={status}
            label={label}
            href={`/console/bank?status=${status}`}
            tone={figure?.count ? tone : undefined}
            value={figure ? formatCount(figure.count) : '–'}
            note={figure?.oldestAt ? <Oldest at={figure.oldestAt} /> : null}
          />
        )
      })}
    </div>
  )
}
