import { serviceUrl } from '../../api/services'
import { useCan, useSession } from '../../api/session'
import { CsvLink } from '../../ui/csv-link'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { type BoundFilters, useFilters } from '../../ui/use-filters'
import { type View, Views } from '../../ui/views'
import { useOwnAccounts } from '../accounts/accounts-query'
import { AllTransactions } from './all-transactions'
import { StuckTransactions } from './stuck-transactions'
import { type FilterName, filterNames } from './transaction-filters'
import { useQueryOf, useStuck } from './use-transactions'

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
