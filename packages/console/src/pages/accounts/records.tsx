import type { ComponentChildren } from 'preact'
import { useList, wholeList } from '../../api/list'
import { type CountedAnswer, pageOf, serviceUrl } from '../../api/services'
import { formatTotal } from '../../format/amount'
import { givenFilters } from '../../format/filters'
import { folds } from '../../format/fold'
import { toWords } from '../../format/words'
import { CsvLink } from '../../ui/csv-link'
import { type Column, DataTable } from '../../ui/data-table'
import { type FilterField, Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { useFilters } from '../../ui/use-filters'
import { customersIn } from '../participants/institution-query'
import { recordStatuses, useOwnInstitution } from './accounts-query'

type Filter = 'q' | 'status' | 'type' | 'customerId'
type OwnCustomer = NonNullable<NonNullable<ReturnType<typeof useOwnInstitution>['data']>['customers'][number]>

interface Records<Row> {
  thing: 'account' | 'customer'
  columns: readonly Column<Row>[]
  /** What `q` finds them by. */
  placeholder: string
  /** How they come to be, for whoever has none yet. */
  begin: ComponentChildren
}

const statusField = { kind: 'choice', name: 'status', label: 'Status', options: recordStatuses } as const

/** For staff: all records of a kind, found by their service, and exported. */
export function AllRecords<Row extends { id: string; status: string }>({
  thing,
  columns,
  placeholder,
  begin,
  more = [],
  hint,
  read,
}: Records<Row> & {
  more?: readonly FilterField<Filter>[]
  /** How `q` matches. */
  hint: string
  /** Filters of the URL may be anything: the service refuses values that are not valid. */
  read(query: object, signal: AbortSignal): Promise<CountedAnswer<Row[]>>
}) {
  const filters = useFilters(['q', 'status', 'type', 'customerId'])
  const given = givenFilters(filters.values)
  const list = useList<Row>({
    key: [`${thing}s`, given],
    page: (after, limit, signal) =>
      pageOf(read({ ...given, order: 'desc', limit, ...(after ? { after } : { count: true }) }, signal)),
  })
  return (
    <Page
      title={toWords(`${thing}s`)}
      badge={list.total === null ? null : <span class="none">{formatTotal(list.total)}</span>}
      actions={<CsvLink href={serviceUrl(thing, `/${thing}s/export`)} query={{ ...given, order: 'desc' }} />}
    >
      <Filters
        label={`Filter ${thing}s`}
        of={filters}
        fields={[{ kind: 'text', name: 'q', label: placeholder, isWide: true }, statusField, ...more]}
      />
      <DataTable
        label={`${toWords(`${thing}s`)}, newest first`}
        columns={columns}
        list={list}
        hrefOf={({ id }) => `/console/${thing}s/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title={`No ${thing} matches`}>
              <p>{hint}</p>
            </Empty>
          ) : (
            <Empty icon={`${thing}s`} title={`There is no ${thing} yet`}>
              <p>{begin}</p>
            </Empty>
          )
        }
      />
    </Page>
  )
}

/** For users of an institution: the records of its own customers, read at once and filtered here. */
export function OwnRecords<Row extends { id: string; status: string }>({
  thing,
  columns,
  placeholder,
  begin,
  rowsOf,
  textsOf,
}: Records<Row> & {
  rowsOf(customers: readonly OwnCustomer[]): readonly Row[]
  /** What `q` is looked for in. */
  textsOf(row: Row): (string | null)[]
}) {
  const filters = useFilters(['q', 'status'])
  const { q, status } = filters.values
  const institution = useOwnInstitution()
  const customers = customersIn(institution.data)
  const rows = (customers && rowsOf(customers))?.filter(
    (row) => (status === '' || row.status === status) && folds(q, [...textsOf(row), row.id]),
  )
  return (
    <Page title={toWords(`${thing}s`)}>
      <Filters
        label={`Filter ${thing}s`}
        of={filters}
        fields={[{ kind: 'text', name: 'q', label: placeholder, isWide: true }, statusField]}
      />
      <DataTable
        label={toWords(`${thing}s`)}
        columns={columns}
        list={wholeList(rows, institution)}
        hrefOf={({ id }) => `/console/${thing}s/${id}`}
        empty={
          <Empty
            icon={`${thing}s`}
            title={filters.hasAny ? `No ${thing} matches` : `Your institution has no ${thing} yet`}
          >
            {filters.hasAny ? null : <p>{begin}</p>}
          </Empty>
        }
      />
    </Page>
  )
}
