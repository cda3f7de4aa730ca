import type { ComponentChildren } from 'preact'
import { Actor, type ActorValue } from './actor'
import { Time } from './time'

interface Props {
  what: ComponentChildren
  at: string
  /** Left out of what nobody did; null for an unknown caller. */
  by?: ActorValue | null
  children?: ComponentChildren
}

/** An entry of a history: what happened and when, what was said, and who did it. */
export const HistoryItem = ({ what, at, by, children }: Props) => (
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
