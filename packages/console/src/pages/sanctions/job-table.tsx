import { Button } from '../../ui/button'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { Empty } from '../../ui/states'
import { Time } from '../../ui/time'
import type { BoundFilters } from '../../ui/use-filters'
import { ResultBadge } from './result-badge'
import { type Job, type jobFilters, useJobs } from './sanctions-queries'

const kinds = { ledger: 'Transaction of the ledger', address: 'Address', transaction: 'Transaction on chain' } as const

const columns: readonly Column<Job>[] = [
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, narrow: 'sub-end' },
  {
    head: 'Screened',
    cell: ({ subject }) =>
      subject === '' ? <span class="none">no party outside</span> : <Id value={subject} isBare />,
    narrow: 'lead',
  },
  { head: 'Network', cell: ({ blockchain }) => blockchain, narrow: 'sub' },
  { head: 'Kind', cell: ({ kind }) => kinds[kind], narrow: 'hide' },
  {
    head: 'For',
    isWide: true,
    cell: ({ kind, externalId }) =>
      kind === 'ledger' ? <Id value={externalId} href={`/console/transactions/${externalId}`} isBare /> : externalId,
  },
  {
    head: 'Result',
    cell: ({ status, sanctioned }) => <ResultBadge status={status} sanctioned={sanctioned} />,
    narrow: 'end',
  },
]

/** All screenings with their results. */
export function JobTable({ of }: { of: BoundFilters<(typeof jobFilters)[number]> }) {
  const list = useJobs(of.values)
  return (
    <>
      <Filters
        label="Filter screenings"
        of={of}
        fields={[
          { kind: 'text', name: 'address', label: 'Address or hash', isWide: true },
          {
            kind: 'choice',
            name: 'result',
            label: 'Result',
            options: [
              ['hit', 'Sanctioned'],
              ['clear', 'Clear'],
              ['failed', 'Unknown'],
              ['pending', 'Under way'],
            ],
          },
          { kind: 'choice', name: 'kind', label: 'Kind', options: Object.entries(kinds) },
          { kind: 'text', name: 'transactionId', label: 'Transaction id' },
          { kind: 'period', name: 'from', to: 'to', label: 'Days' },
        ]}
      />
      <DataTable
        label="Screenings"
        columns={columns}
        list={list}
        idOf={({ jobId }) => jobId}
        hrefOf={({ jobId }) => `/console/sanctions?job=${jobId}`}
        empty={
          <Empty
            icon="sanctions"
            title={of.hasAny ? 'No screening matches these filters' : 'There is no screening yet'}
          >
            <p>Screenings of deposits, withdrawals and requests of participants appear here.</p>
            {of.hasAny ? <Button onClick={of.clear}>Clear the filters</Button> : null}
          </Empty>
        }
      />
    </>
  )
}
