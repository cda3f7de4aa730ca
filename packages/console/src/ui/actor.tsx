import type { ComponentChildren } from 'preact'
import { useUserName } from '../api/names'
import { can, useSession } from '../api/session'
import { Id } from './id'
import { Institution } from './organisations'
import { Time } from './time'

/** An actor in the services' histories. */
interface ActorValue {
  kind: string
  id: string
}

/** An actor's name: `you`, a colleague, a service, a participant's key. */
export function Actor({ of }: { of: ActorValue | null }) {
  const session = useSession()
  const isOther = of?.kind === 'user' && of.id !== session.user.id
  const { data: name } = useUserName(isOther && can(session, 'read') ? of.id : null)
  if (of === null) return <span class="none">an unknown caller</span>
  if (of.kind === 'user' && !isOther) return <b data-paper={session.user.name}>you</b>
  if (of.kind === 'service') return <b>{of.id}</b>
  if (name) return <b title={of.id}>{name}</b>
  if (of.kind === 'participant') return <Institution id={of.id} yours="your institution" />
  // An institution knows nobody else by name.
  if (of.kind === 'user' && !can(session, 'read')) return <span title={of.id}>a user</span>
  return (
    <span>
      {of.kind} <Id value={of.id} isBare />
    </span>
  )
}

interface HistoryItemProps {
  what: ComponentChildren
  at: string
  /** Left out of what nobody did; null for an unknown caller. */
  by?: ActorValue | null
  children?: ComponentChildren
}

/** An entry of a history: what happened and when, what was said, and who did it. */
export const HistoryItem = ({ what, at, by, children }: HistoryItemProps) => (
  <li>
    <div class="ends">
      {what}
      <Time at={at} isWhole />
    </div>
    {children}
    {by === undefined ? null : (
      <p class="hint">
        by <Actor of={by} />
      </p>
    )}
  </li>
)

/** The actor that a service writes as `user 0190…`, `service …`, `participant …`. */
export function actorIn(text: string | null): ActorValue | null {
  const [kind = '', ...rest] = text?.split(' ') ?? []
  return text ? { kind, id: rest.join(' ') } : null
}
