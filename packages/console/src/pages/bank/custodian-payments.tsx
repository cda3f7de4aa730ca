import { useState } from 'preact/hooks'
import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { givenFilters } from '../../format/filters'
import { DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { statuses, typeWords } from './moves-of'
import type { PaymentStatus, PaymentType } from './payment'
import { paymentColumns } from './payment-columns'

const limit = 50

/** For the people of a custodian bank: the payments of the accounts that it keeps. */
export function CustodianPayments() {
  const filters = useFilters(['search', 'type', 'status'])
  const [offset, setOffset] = useState(0)
  const { search, type, status } = givenFilters(filters.values)
  const query = {
    limit,
    offset,
    search,
    type: type ? [type as PaymentType] : undefined,
    status: status ? [status as PaymentStatus] : undefined,
  }
  const page = useQuery({
    queryKey: ['payments', 'custodian', query],
    queryFn: ({ signal }) => dataOf(main.GET('/custodian-bank/transactions', { params: { query }, signal })),
    refetchInterval: 15_000,
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
        list={{ ...wholeList({ ...page, data: page.data?.data }), total: page.data?.pageInfo.total ?? null }}
        idOf={({ id }) => id}
        empty={<Empty icon="bank" title={filters.hasAny ? 'No payment matches these filters' : 'No payment yet'} />}
      />
      <Pagination
        offset={offset}
        limit={limit}
        count={page.data?.data.length ?? 0}
        total={page.data?.pageInfo.total}
        onChange={setOffset}
      />
    </Page>
  )
}
