import { wholeList } from '../../api/list'
import { folds } from '../../format/fold'
import { DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { accountColumns } from './account-columns'
import { recordStatuses, useOwnInstitution } from './accounts-query'

/** The accounts of the institution's own customers: read at once, and filtered here. */
export function OwnAccounts() {
  const filters = useFilters(['q', 'status'])
  const { q, status } = filters.values
  const institution = useOwnInstitution()
  const all = institution.data?.customers.flatMap(({ accounts }) => accounts)
  const rows = all?.filter(
    (row) =>
      (status === '' || row.status === status) &&
      folds(q, [row.name, row.customerName, row.customerExternalId, row.accountExternalId, row.id]),
  )
  return (
    <Page title="Accounts">
      <Filters
        label="Filter accounts"
        of={filters}
        fields={[
          { kind: 'text', name: 'q', label: 'Name, external id or id', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: recordStatuses },
        ]}
      />
      <DataTable
        label="Accounts"
        columns={accountColumns}
        list={wholeList({ ...institution, data: rows })}
        hrefOf={({ id }) => `/console/accounts/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="accounts" title="No account matches" />
          ) : (
            <Empty icon="accounts" title="Your institution has no account yet">
              <p>Your programs open them for your customers: POST /accounts of the API.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}
