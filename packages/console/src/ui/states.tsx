import type { ComponentChildren } from 'preact'
import type { ApiError } from '../api/api-error'
import { Button } from './button'
import { Icon, type IconName } from './icon'
import { Id } from './id'
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
    <div class="note tone-bad" role="alert">
      <Icon name="alert" />
      <div>
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
            Request{' '}
            <Id value={error.requestId} href={`/console/log?requestId=${encodeURIComponent(error.requestId)}`} />
          </div>
        ) : null}
      </div>
      {retry ? (
        <Button isSmall icon="refresh" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  )
}

/** A coloured note. */
export function Note({
  tone = 'plain',
  icon,
  children,
}: {
  tone?: 'plain' | 'wait' | 'bad' | 'good' | 'move'
  icon?: IconName
  children: ComponentChildren
}) {
  return (
    <div class={`note tone-${tone}`}>
      <Icon name={icon ?? (tone === 'good' ? 'check' : tone === 'plain' ? 'info' : 'alert')} />
      <div>{children}</div>
    </div>
  )
}

/** Warns that old data is shown because new data cannot be read. */
export function Stale({ readAt, error, retry }: { readAt: number; error: ApiError; retry: () => void }) {
  return (
    <div class="note tone-wait" role="status">
      <Icon name="clock" />
      <div>
        As of <Time at={new Date(readAt).toISOString()} zone />. {error.message}
      </div>
      <Button isSmall icon="refresh" onClick={retry}>
        Try again
      </Button>
    </div>
  )
}

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

/** A query, or what is like one. */
export interface LoadedOf<T> {
  data: T | undefined
  error: ApiError | null
  dataUpdatedAt: number
  refetch(): unknown
}

interface LoadedProps<T> {
  of: LoadedOf<T>
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
