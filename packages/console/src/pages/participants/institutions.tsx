import { keepPreviousData } from '@tanstack/query-core'
import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { type InstitutionRow, type InstitutionStatus, institutionStatuses } from './institution-query'
import { toneOf } from './review-moves'
import { usePagedFilters } from './use-paged-filters'

const limit = 50

/** The registered institutions: with a status filter those that wait longest first, else the newest first. */
export function Institutions() {
  const { filters, offset, setOffset } = usePagedFilters(['search', 'status'])
  const { search, status } = filters.values
  const query = {
    limit,
    offset,
    order: status === '' ? ('desc' as const) : ('asc' as const),
    ...(search ? { search } : {}),
    ...(status ? { status: status as InstitutionStatus } : {}),
  }
  const page = useQuery({
    queryKey: ['institutions', query],
    queryFn: ({ signal }) => dataOf(main.GET('/admin/pfi', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
  const rows = page.data?.data
  return (
    <>
      <Filters
        label="Filter institutions"
        of={filters}
        fields={[
          { kind: 'text', name: 'search', label: 'A part of the name', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: institutionStatuses },
        ]}
      />
      <DataTable
        label={status ? 'Institutions, oldest first' : 'Institutions, newest first'}
        columns={columns}
        list={{ ...wholeList({ ...page, refetch: page.refetch, data: rows }), total: null }}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/console/participants/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title="No institution matches" />
          ) : (
            <Empty icon="participants" title="No institution has registered yet">
              <p>An operator registers one here, or an institution does so itself with POST /participants.</p>
            </Empty>
          )
        }
      />
      {page.data ? (
        <Pagination
          offset={query.offset}
          limit={limit}
          count={rows?.length ?? 0}
          total={page.data.pageInfo.total}
          onChange={setOffset}
        />
      ) : null}
    </>
  )
}

const columns: readonly Column<InstitutionRow>[] = [
  { head: 'Institution', narrow: 'lead', isWide: true, cell: ({ name }) => <b>{name}</b> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} tone={toneOf(status)} /> },
  { head: 'Country', narrow: 'sub', cell: ({ country }) => country },
  { head: 'Registration', narrow: 'hide', needsRoom: true, cell: ({ registrationNumber }) => registrationNumber },
  { head: 'Registered', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'First approved',
    narrow: 'hide',
    cell: ({ approvedAt }) => (approvedAt ? <Time at={approvedAt} /> : null),
  },
]
