import { keepPreviousData } from '@tanstack/query-core'
import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, main } from '../../api/services'
import { Card } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age, Time } from '../../ui/time'
import { type InstitutionRow, type InstitutionStatus, institutionStatuses } from './institution-query'
import { toneOf } from './review-moves'

const limit = 50

/** The institutions that registered: those that wait longest first where one status is asked for, else the newest. */
export function Institutions() {
  const filters = useFilters(['search', 'status', 'offset'])
  const { search, status, offset } = filters.values
  const query = {
    limit,
    offset: Number(offset) || 0,
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
        of={{ ...filters, hasAny: Boolean(search || status) }}
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
          search || status ? (
            <Empty icon="search" title="No institution fits" />
          ) : (
            <Empty icon="participants" title="No institution has registered yet">
              <p>Institutions register with POST /participants of the main API.</p>
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
          onChange={(next) => filters.set('offset', next === 0 ? '' : String(next))}
        />
      ) : null}
    </>
  )
}

const columns: readonly Column<InstitutionRow>[] = [
  { head: 'Institution', narrow: 'lead', cell: ({ name }) => <b>{name}</b> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} tone={toneOf(status)} /> },
  { head: 'Country', narrow: 'sub', cell: ({ country, businessType }) => `${country} · ${businessType}` },
  { head: 'Registration', narrow: 'hide', cell: ({ registrationNumber }) => registrationNumber },
  { head: 'Registered', narrow: 'hide', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Since',
    align: 'end',
    narrow: 'sub-end',
    cell: ({ createdAt }) => (
      <>
        <Age since={createdAt} />
      </>
    ),
  },
]
