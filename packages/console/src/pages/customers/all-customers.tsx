import { useList } from '../../api/list'
import { customer, pageOf, serviceUrl } from '../../api/services'
import { formatTotal } from '../../format/amount'
import { givenFilters } from '../../format/filters'
import { CsvLink } from '../../ui/csv-link'
import { DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { recordStatuses } from '../accounts/accounts-query'
import { staffCustomerColumns } from './customer-columns'
import type { CustomersQuery } from './customers-query'

export function AllCustomers() {
  const filters = useFilters(['q', 'status'])
  // The URL may contain anything: the service refuses values that are not valid.
  const given = givenFilters(filters.values) as CustomersQuery
  const list = useList({
    key: ['customers', given],
    page: (after, limit, signal) => {
      const query: CustomersQuery = { ...given, order: 'desc', limit, ...(after ? { after } : { count: true }) }
      return pageOf(customer.GET('/customers', { params: { query }, signal }))
    },
  })
  return (
    <Page
      title="Customers"
      badge={list.total === null ? null : <span class="page-count">{formatTotal(list.total)}</span>}
      actions={
        <CsvLink href={serviceUrl('customer', '/customers/export')} query={{ ...filters.values, order: 'desc' }} />
      }
    >
      <Filters
        label="Filter customers"
        of={filters}
        fields={[
          { kind: 'text', name: 'q', label: 'External id or id', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: recordStatuses },
        ]}
      />
      <DataTable
        label="Customers, newest first"
        columns={staffCustomerColumns}
        list={list}
        hrefOf={({ id }) => `/console/customers/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title="No customer matches">
              <p>External ids match by the beginning of any of their words.</p>
            </Empty>
          ) : (
            <Empty icon="customers" title="There is no customer yet">
              <p>Participants add theirs; the API creates them with POST /customers.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}
