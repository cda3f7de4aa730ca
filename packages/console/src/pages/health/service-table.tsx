import { wholeList } from '../../api/list'
import { formatCount } from '../../format/amount'
import { type Column, DataTable } from '../../ui/data-table'
import { Badge, Status } from '../../ui/status'
import { Age } from '../../ui/time'
import type { ServiceState } from './health-query'

interface ServiceTableProps {
  label: string
  services: readonly ServiceState[]
  selected: string | null
  onSelect(name: string): void
}

/** All services; one can be chosen. */
export function ServiceTable({ label, services, selected, onSelect }: ServiceTableProps) {
  return (
    <div class="health-services">
      <DataTable
        label={label}
        columns={columns}
        list={wholeList(services)}
        idOf={({ name }) => name}
        onSelect={({ name }) => onSelect(name)}
        selectedId={selected}
      />
    </div>
  )
}

const columns: readonly Column<ServiceState>[] = [
  { head: 'Service', narrow: 'lead', cell: ({ name }) => <b>{name}</b> },
  { head: 'State', narrow: 'end', cell: (service) => <State of={service} /> },
  {
    head: 'Answer',
    align: 'end',
    narrow: 'sub',
    cell: ({ ms, operations }) => (operations ? `${formatCount(ms)} ms` : <None />),
  },
  {
    head: 'To publish',
    align: 'end',
    cell: ({ operations }) => (operations ? <Waiting of={operations.outbox} /> : <None />),
  },
  { head: 'Queue', align: 'end', cell: ({ operations }) => <Count of={operations?.queue.depth} /> },
  {
    head: 'Dead letters',
    align: 'end',
    cell: ({ operations }) =>
      operations?.queue.deadLetters ? (
        <Badge tone="bad" icon="bang">
          {formatCount(operations.queue.deadLetters)}
        </Badge>
      ) : (
        <Count of={operations?.queue.deadLetters} />
      ),
  },
  {
    head: 'Up for',
    align: 'end',
    narrow: 'hide',
    cell: ({ operations }) => (operations ? <Age since={operations.startedAt} /> : <None />),
  },
]

const None = () => <span class="none">–</span>
/** Zero is left blank: what waits stands out. */
const Count = ({ of }: { of: number | null | undefined }) =>
  of === 0 ? null : <span>{typeof of === 'number' ? formatCount(of) : '–'}</span>

function Waiting({ of: { waiting, oldestAt } }: { of: { waiting: number; oldestAt: string | null } }) {
  if (!oldestAt) return waiting ? formatCount(waiting) : null
  return (
    <>
      {formatCount(waiting)}{' '}
      <span class="hint">
        <Age since={oldestAt} />
      </span>
    </>
  )
}

const words = { ok: 'Answers', failing: 'Failing', late: 'Late', away: 'Away' } as const
const tones = { ok: 'good', failing: 'bad', late: 'bad', away: 'bad' } as const

/** A service's state, with icon and word. */
export const State = ({ of: { status } }: { of: Pick<ServiceState, 'status'> }) => (
  <Status value={words[status]} tone={tones[status]} />
)
