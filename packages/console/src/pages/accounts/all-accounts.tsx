import { useList } from '../../api/list'
import { account, pageOf, serviceUrl } from '../../api/services'
import { formatTotal } from '../../format/amount'
import { givenFilters } from '../../format/filters'
import { CsvLink } from '../../ui/csv-link'
import { DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { staffAccountColumns } from './account-columns'
import { type AccountsQuery, accountTypes, recordStatuses } from './accounts-query'

export function AllAccounts() {
  const filters = useFilters(['q', 'status', 'type', 'customerId'])
  // The URL may contain anything: the service refuses values that are not valid.
  const given = givenFilters(filters.values) as AccountsQuery
  const list = useList({
    key: ['accounts', given],
    page: (after, limit, signal) => {
      const query: AccountsQuery = { ...given, order: 'desc', limit, ...(after ? { after } : { count: true }) }
      return pageOf(account.GET('/accounts', { params: { query }, signal }))
    },
  })
  return (
    <Page
      title="Accounts"
      badge={list.total === null ? null : <span class="page-count">{formatTotal(list.total)}</span>}
      actions={
        <CsvLink href={serviceUrl('account', '/accounts/export')} query={{ ...filters.values, order: 'desc' }} />
      }
    >
      <Filters
        label="Filter accounts"
        of={filters}
        fields={[
          { kind: 'text', name: 'q', label: 'Name, external id, address or id', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: recordStatuses },
          { kind: 'choice', name: 'type', label: 'Type', options: accountTypes },
        ]}
      />
      <DataTable
        label="Accounts, newest first"
        columns={staffAccountColumns}
        list={list}
        hrefOf={({ id }) => `/console/accounts/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title="No account matches">
              <p>Names and external ids match by the beginning of any of their words.</p>
            </Empty>
          ) : (
            <Empty icon="accounts" title="There is no account yet">
              <p>Participants open them for their customers; the API opens them with POST /accounts.</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}
