import { useState } from 'preact/hooks'
import { reread } from '../api/query'
import { Act, MoreActs } from './act'
import { Button } from './button'

/** The statuses of accounts and customers. */
export type RecordStatus = 'active' | 'inactive' | 'deleted' | 'suspended'

interface Change {
  verb: string
  look: 'main' | 'danger'
  done: string
}

const changes: Record<RecordStatus, Change> = {
  active: { verb: 'Activate', look: 'main', done: 'active again' },
  suspended: { verb: 'Suspend', look: 'danger', done: 'suspended' },
  inactive: { verb: 'Deactivate', look: 'danger', done: 'inactive' },
  deleted: { verb: 'Mark as deleted', look: 'danger', done: 'marked as deleted' },
}
const order: readonly RecordStatus[] = ['active', 'suspended', 'inactive', 'deleted']

export interface SetStatusProps {
  /** The kind of record; its page and its list are read again. */
  thing: 'account' | 'customer'
  id: string
  name: string
  status: RecordStatus
  /** The meaning of each status for it, in a sentence or two. */
  meaning: Readonly<Record<RecordStatus, string>>
  set(body: { status: RecordStatus; statusReason?: string }): Promise<unknown>
}

/** The buttons that set a status: the likely one directly, the others in a menu. Each asks for a reason. */
export function SetStatus(props: SetStatusProps) {
  const [wanted, setWanted] = useState<RecordStatus | null>(null)
  const likely = props.status === 'active' ? 'suspended' : 'active'
  const others = order.filter((each) => each !== props.status && each !== likely)
  return (
    <>
      <Button
        look={changes[likely].look}
        icon={likely === 'active' ? 'play' : 'pause'}
        onClick={() => setWanted(likely)}
      >
        {changes[likely].verb}
      </Button>
      <MoreActs
        label="Other statuses"
        acts={others.map((each) => [changes[each].verb, () => setWanted(each)] as const)}
      />
      {wanted ? <StatusDialog {...props} wanted={wanted} onClose={() => setWanted(null)} /> : null}
    </>
  )
}

function StatusDialog({
  thing,
  id,
  name,
  meaning,
  wanted,
  set,
  onClose,
}: SetStatusProps & { wanted: RecordStatus; onClose(): void }) {
  const { verb, look, done } = changes[wanted]
  return (
    <Act
      title={`${verb} this ${thing}?`}
      confirm={verb}
      look={look}
      note={{ label: 'Reason', hint: 'Stays in the history, with your name. The customer does not see it.', min: 3 }}
      act={({ note }) => set({ status: wanted, ...(note ? { statusReason: note } : {}) })}
      done={`${name} is ${done}`}
      onDone={() => reread([thing, id], [`${thing}s`])}
      onClose={onClose}
    >
      <p>
        <strong>{name}</strong>
      </p>
      <p>{meaning[wanted]}</p>
    </Act>
  )
}
