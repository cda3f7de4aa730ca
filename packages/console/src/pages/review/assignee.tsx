import { useState } from 'preact/hooks'
import { assign, useAssignment, useColleagues } from '../../api/review-notes'
import { useSession } from '../../api/session'
import { Actor } from '../../ui/actor'
import { notifyRefusal } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Options } from '../../ui/options'
import { Badge } from '../../ui/status'

/** In a row: who is to decide; nothing for nobody. */
export function Assignee({ of }: { of: string }) {
  const { data } = useAssignment(of)
  return data ? (
    <Badge tone="move" icon="users">
      <Actor of={{ kind: 'user', id: data.userId }} />
    </Badge>
  ) : null
}

/** Who is to decide, and the choice of another one among those at work. */
export function AssignTo({ id, isAllowed }: { id: string; isAllowed: boolean }) {
  const { user } = useSession()
  const { data } = useAssignment(id)
  const colleagues = useColleagues(isAllowed)
  const [isSending, setSending] = useState(false)
  const give = async (userId: string | null) => {
    setSending(true)
    await assign(id, userId).catch(notifyRefusal)
    setSending(false)
  }
  const assigned = data?.userId ?? ''
  if (!isAllowed) return data ? <Actor of={{ kind: 'user', id: data.userId }} /> : <span class="none">nobody</span>
  const known = new Map([[user.id, 'you'], ...(colleagues.data ?? []).map(({ id, name }) => [id, name] as const)])
  known.set(user.id, 'you')
  return (
    <span class="row assign">
      <select
        aria-label="Assigned to"
        value={assigned}
        disabled={isSending}
        onChange={(event) => void give(event.currentTarget.value || null)}
      >
        <option value="">nobody</option>
        <Options of={[...known]} />
        {assigned !== '' && !known.has(assigned) ? <option value={assigned}>a colleague who is away</option> : null}
      </select>
      {assigned === user.id ? null : (
        <Button isSmall disabled={isSending} onClick={() => void give(user.id)}>
          Take it
        </Button>
      )}
    </span>
  )
}
