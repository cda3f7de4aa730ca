import { useList } from '../../api/list'
import { bodyPageOf, main } from '../../api/services'
import { DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { useFilters } from '../../ui/use-filters'
import { statuses, typeWords } from './moves-of'
import { queryOf } from './payment'
import { paymentColumns } from './payment-columns'

/** For the people of a custodian bank: the payments of the accounts that it keeps. */
export function CustodianPayments() {
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
