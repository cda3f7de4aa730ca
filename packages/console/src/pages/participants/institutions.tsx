import { useList } from '../../api/list'
import { bodyPageOf, main } from '../../api/services'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { type InstitutionRow, type InstitutionStatus, institutionStatuses } from './institution-query'
import { toneOf } from './review-moves'

/** The registered institutions: with a status filter those that wait longest first, else the newest first. */
export function Institutions() {
  const filters = useFilters(['search', 'status'])
  const { search, status } = filters.values
  const asked = {
    order: status === '' ? ('desc' as const) : ('asc' as const),
    ...(search ? { search } : {}),
    ...(status ? { status: status as InstitutionStatus } : {}),
  }
  const list = useList<InstitutionRow>({
    key: ['institutions', asked],
    page: (_after, limit, signal, offset) =>
      bodyPageOf(main.GET('/admin/pfi', { params: { query: { ...asked, limit, offset } }, signal })),
  })
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
        list={list}
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
