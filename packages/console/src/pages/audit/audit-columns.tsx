import type { Column } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'
import { actWords } from './act-words'
import { ActorName } from './actor-name'
import type { AuditAct } from './audit-query'

/** Who, what and the outcome: the details are in the panel beside them. */
export const besideDetail = 4

export const columns: readonly Column<AuditAct>[] = [
  { head: 'At', narrow: 'sub', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', narrow: 'lead', cell: (act) => <ActorName of={act} /> },
  {
    head: 'What',
    cell: ({ action, service }) => (
      <>
        {actWords(action)}
        <span class="sub">
          {service} <code>{action}</code>
        </span>
      </>
    ),
  },
  { head: 'Outcome', narrow: 'end', cell: ({ status }) => <Outcome status={status} /> },
  { head: 'About', narrow: 'hide', needsRoom: true, cell: ({ object }) => <Id value={object} /> },
  {
    head: 'From',
    narrow: 'hide',
    needsRoom: true,
    cell: ({ address, door }) => (door === 'start' ? address : `${address} (${door})`),
  },
]

/** The outcome of an act. One without an answer may have been carried out. */
export function Outcome({ status }: { status: number | null }) {
  if (status === null) {
    return (
      <Badge tone="wait" icon="clock">
        No answer
      </Badge>
    )
  }
  if (status < 300) {
    return (
      <Badge tone="good" icon="check">
        Done
      </Badge>
    )
  }
  const words = status === 403 ? 'Not allowed' : status < 500 ? 'Refused' : 'Failed'
  return (
    <Badge tone="bad" icon="cross">
      {words} {status}
    </Badge>
  )
}
