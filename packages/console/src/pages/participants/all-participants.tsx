import { keepPreviousData } from '@tanstack/query-core'
import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, participant } from '../../api/services'
import { givenFilters } from '../../format/filters'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { Time } from '../../ui/time'
import type { ParticipantRecord } from './institution-query'
import { usePagedFilters } from './use-paged-filters'

const limit = 50

/** All participants with their customers, including those that an administrator created without a review. */
export function AllParticipants() {
  const { filters, offset, setOffset } = usePagedFilters(['institutionName', 'address'])
  const query = { limit, offset, order: 'desc' as const, ...givenFilters(filters.values) }
  const page = useQuery({
    queryKey: ['participants', query],
    queryFn: ({ signal }) => dataOf(participant.GET('/participants', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Filters
        label="Filter participants"
        of={filters}
        fields={[
          { kind: 'text', name: 'institutionName', label: 'A part of the name' },
          { kind: 'text', name: 'address', label: 'On-chain address', isWide: true },
        ]}
      />
      <DataTable
        label="Participants, newest first"
        columns={columns}
        list={{ ...wholeList(page), total: null }}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/console/participants/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title="No participant matches" />
          ) : (
            <Empty icon="participants" title="There is no participant yet">
              <p>An institution becomes a participant with its first approval.</p>
            </Empty>
          )
        }
      />
      <Pagination offset={query.offset} limit={limit} count={page.data?.length ?? 0} onChange={setOffset} />
    </>
  )
}

const accountsOf = ({ customers }: ParticipantRecord) =>
  customers.reduce((count, { accounts }) => count + accounts.length, 0)

const columns: readonly Column<ParticipantRecord>[] = [
  { head: 'Participant', narrow: 'lead', cell: ({ institutionName }) => <b>{institutionName}</b> },
  { head: 'Customers', align: 'end', cell: ({ customers }) => customers.length || null },
  { head: 'Accounts', align: 'end', cell: (row) => accountsOf(row) || null },
  { head: 'Since', narrow: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
