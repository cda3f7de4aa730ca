import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api/api-error'
import { Button } from './button'
import { Icon, type IconName } from './icon'
import { RequestId } from './id'
import { Time } from './time'

/** An empty state: the reason, and the next step. */
export function Empty({
  icon = 'info',
  title,
  children,
}: {
  icon?: IconName
  title: string
  children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <Icon name={icon} size={24} />
      <p class="empty-title">{title}</p>
      {children ? <div class="empty-more">{children}</div> : null}
    </div>
  )
}

/** A refusal or failure of a service: its message, its request id, and a retry. */
export function ErrorNote({ error, title, retry }: { error: ApiError; title?: string; retry?: () => void }) {
  return (
    <Note tone="bad" role="alert" again={retry}>
      {title ? <strong>{title} </strong> : null}
      {error.message}
      {error.problems.length > 1 ? (
        <ul>
          {error.problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {error.requestId ? (
        <div class="note-request">
          Request <RequestId value={error.requestId} />
        </div>
      ) : null}
    </Note>
  )
}

interface NoteProps {
  tone?: 'plain' | 'wait' | 'bad' | 'good'
  icon?: IconName
  /** For one that appears by itself: screen readers tell it. */
  role?: 'alert' | 'status'
  /** Reads again what the note is about, by a button with these `words`. */
  again?: (() => void) | undefined
  words?: string
  children: ComponentChildren
}

/** A coloured note. */
export function Note({ tone = 'plain', icon, role, again, words = 'Try again', children }: NoteProps) {
  return (
    <div class={`note tone-${tone}`} role={role}>
      <Icon name={icon ?? (tone === 'good' ? 'check' : tone === 'plain' ? 'info' : 'alert')} />
      <div>{children}</div>
      {again ? (
        <Button isSmall icon="refresh" onClick={again}>
          {words}
        </Button>
      ) : null}
    </div>
  )
}

/** Warns that old data is shown because new data cannot be read. */
export const Stale = ({ readAt, error, retry }: { readAt: number; error: ApiError; retry: () => void }) => (
  <Note tone="wait" icon="clock" role="status" again={retry}>
    As of <Time at={new Date(readAt).toISOString()} zone />. {error.message}
  </Note>
)

/** Grey placeholder lines while text loads. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} class={`bone bone-${i % 3}`} />
      ))}
    </div>
  )
}

interface LoadedProps<T> {
  /** A query, or what is like one. */
  of: { data: T | undefined; error: ApiError | null; dataUpdatedAt: number; refetch(): unknown }
  lines?: number
  children: (data: T) => ComponentChildren
}

/** The data of a query, with its other states: loading, failed, or old. */
export function Loaded<T>({ of, lines, children }: LoadedProps<T>) {
  const retry = () => void of.refetch()
  if (of.data === undefined) return of.error ? <ErrorNote error={of.error} retry={retry} /> : <Skeleton lines={lines} />
  return (
    <>
      {of.error ? <Stale error={of.error} readAt={of.dataUpdatedAt} retry={retry} /> : null}
      {children(of.data)}
    </>
  )
}
