import { wholeList } from '../../api/list'
import { folds } from '../../format/fold'
import { DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { recordStatuses, useOwnInstitution } from '../accounts/accounts-query'
import { customerColumns } from './customer-columns'

/** The institution's own customers: read at once, and filtered here. */
export function OwnCustomers() {
  const filters = useFilters(['q', 'status'])
  const { q, status } = filters.values
  const institution = useOwnInstitution()
  const rows = institution.data?.customers.filter(
    (row) => (status === '' || row.status === status) && folds(q, [row.externalId, row.id]),
  )
  return (
    <Page title="Customers">
      <Filters
        label="Filter customers"
        of={filters}
        fields={[
          { kind: 'text', name: 'q', label: 'External id or id', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: recordStatuses },
        ]}
      />
      <DataTable
        label="Customers"
        columns={customerColumns}
        list={wholeList({ ...institution, data: rows })}
        hrefOf={({ id }) => `/console/customers/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="customers" title="No customer matches" />
          ) : (
            <Empty icon="customers" title="Your institution has no customer yet">
              <p>Your programs create them: POST /customers of the API.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}
