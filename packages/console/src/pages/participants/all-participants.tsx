import { useList } from '../../api/list'
import { pageOf, participant } from '../../api/services'
import { givenFilters } from '../../format/filters'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Empty } from '../../ui/states'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import type { ParticipantRecord } from './institution-query'

/** All participants with their customers, including those that an administrator created without a review. */
export function AllParticipants() {
  const filters = useFilters(['institutionName', 'address'])
  const given = givenFilters(filters.values)
  const list = useList<ParticipantRecord>({
    key: ['participants', given],
    page: (_after, limit, signal, offset) =>
      pageOf(
        participant.GET('/participants', { params: { query: { ...given, limit, offset, order: 'desc' } }, signal }),
      ),
  })
  return (
    <>
      <Filters
        label="Filter participants"
        of={filters}
        fields={[
          { kind: 'text', name: 'institutionName', label: 'A part of the name', isWide: true },
          { kind: 'text', name: 'address', label: 'On-chain address' },
        ]}
      />
      <DataTable
        label="Participants, newest first"
        columns={columns}
        list={list}
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
    </>
  )
}

const accountsOf = ({ customers }: ParticipantRecord) =>
  customers.reduce((count, { accounts }) => count + accounts.length, 0)

const columns: readonly Column<ParticipantRecord>[] = [
  { head: 'Participant', narrow: 'lead', isWide: true, cell: ({ institutionName }) => <b>{institutionName}</b> },
  { head: 'Customers', align: 'end', cell: ({ customers }) => customers.length || null },
  { head: 'Accounts', align: 'end', cell: (row) => accountsOf(row) || null },
  { head: 'Since', narrow: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]
