import type { Column } from '../../ui/data-table'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { ActorName, ObjectName } from './act-names'
import { actTitle, sentenceOf } from './act-sentences'
import type { AuditAct } from './audit-query'

export const columns: readonly Column<AuditAct>[] = [
  { head: 'At', narrow: 'sub-end', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', narrow: 'lead', cell: (act) => <ActorName of={act} /> },
  { head: 'What', narrow: 'sub', isWide: true, cell: (act) => <Sentence of={act} /> },
  { head: 'Outcome', narrow: 'end', cell: ({ status }) => (isDone(status) ? null : <Outcome status={status} />) },
  {
    head: 'From',
    narrow: 'hide',
    needsRoom: true,
    cell: ({ address, door }) => (door === 'start' ? address : `${address} (${door})`),
  },
]
/** Who, what and the outcome: the details are in the panel beside them. */
export const besideColumns = columns.slice(0, 4)

/** What was done, in a sentence that goes on after the name. */
function Sentence({ of }: { of: Pick<AuditAct, 'action' | 'newStatus' | 'service' | 'object'> }) {
  const { object } = of
  const [before, after] = sentenceOf(of)
  if (after === null || !object) return <>{actTitle(of).replace(/^./, (first) => first.toLowerCase())}</>
  return (
    <>
      {before}
      <ObjectName of={of} id={object} isTyped={/ (deposit|withdrawal|transfer|payment) $/.test(before)} />
      {after}
    </>
  )
}

const isDone = (status: number | null): boolean => status !== null && status < 300

/** The outcome of an act. One without an answer may have been carried out. */
export function Outcome({ status }: { status: number | null }) {
  if (status === null) return <Status value="no answer" tone="wait" />
  if (status < 300) return <Status value="done" />
  const words = status === 403 ? 'not allowed' : status < 500 ? 'refused' : 'failed'
  return <Status value={`${words} ${status}`} tone="bad" />
}
