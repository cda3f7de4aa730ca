import { serviceUrl } from '../../api/services'
import { useCan } from '../../api/session'
import { CsvLink } from '../../ui/csv-link'
import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { AllTransactions } from './all-transactions'
import { StuckTransactions } from './stuck-transactions'
import { filterNames } from './transaction-filters'
import { useQueryOf, useStuck } from './use-transactions'

/** All transactions, with filters in the URL; and the stuck ones. */
export default function Transactions() {
  const view = useFilters(['view'])
  const filters = useFilters(filterNames)
  const isStaff = useCan('read')
  const isStuck = isStaff && view.values.view === 'stuck'
  const query = useQueryOf(filters.values)
  const { rows } = useStuck(isStaff)
  const hasList = isStaff || filters.values.accountId !== '' || filters.values.customerId !== ''
  return (
    <Page
      title="Transactions"
      actions={
        <>
          {isStaff ? (
            <Tabs
              label="Which transactions"
              tabs={[
                { value: '', words: 'All' },
                { value: 'stuck', words: 'Stuck', count: rows?.length || null },
              ]}
              value={isStuck ? 'stuck' : ''}
              onChange={(value) => view.set('view', value)}
            />
          ) : null}
          {isStuck || !hasList ? null : (
            <CsvLink href={serviceUrl('core', '/transactions/export')} query={{ ...query, order: 'desc' }} />
          )}
        </>
      }
    >
      {isStuck ? <StuckTransactions /> : <AllTransactions filters={filters} />}
    </Page>
  )
}
