import type { Envelope } from '@bursar/contracts/event'
import { asc, count, gte } from 'drizzle-orm'
import type { Store } from '../engine/store'
import type { OutboxEvent } from '../engine/writers'
import { outbox } from '../schema'
import { param, prepared } from '../statements/statements'

const rememberWithdrawn = 1000

/** An event that was published and still stands in the outbox. */
export interface Published {
  seq: number
  /** When, by the relay's clock. */
  atMs: number
}

/** The outbox as the relay knows it. Events are published in `seq` order, but nothing relies on commits having it too. */
export interface Backlog {
  readonly store: Store
  /** Most events in `queue`. */
  readonly memory: number
  readonly pageSize: number
  /** The next events to be published. */
  queue: OutboxEvent[]
  /** Being published. */
  inFlight: readonly OutboxEvent[]
  /** By event id, oldest first: what the broker took over this connection. A new connection begins a new map. */
  published: Map<string, Published>
  /** The lowest `seq` that may wait in the outbox and is not in `queue`; else Infinity. At the start, 0. */
  unread: number
  isReading: boolean
  /** Events that are committed but not published. */
  depth: number
  withdrawn: Set<string>
}

const pageFrom = prepared((db) =>
  db
    .select({ seq: outbox.seq, eventId: outbox.eventId, envelope: outbox.envelope })
    .from(outbox)
    .where(gte(outbox.seq, param('seq')))
    .orderBy(asc(outbox.seq))
    .limit(param('limit')),
)
const rowCount = prepared((db) => db.select({ rows: count() }).from(outbox))

export const createBacklog = (store: Store, memory: number, pageSize: number): Backlog => ({
  store,
  memory,
  pageSize,
  queue: [],
  inFlight: [],
  published: new Map(),
  unread: 0,
  isReading: false,
  depth: 0,
  withdrawn: new Set(),
})

/** Adds events that were committed just now; leaves them in the outbox while earlier ones are still to be read there. */
export function pushEvents(backlog: Backlog, events: readonly OutboxEvent[]): void {
  const { queue, memory, isReading, unread } = backlog
  backlog.depth += events.length
  const fits = !isReading && unread === Number.POSITIVE_INFINITY && queue.length + events.length <= memory
  for (const event of events) {
    if (fits) queue.push(event)
    else backlog.unread = Math.min(backlog.unread, event.seq)
  }
}

/** The next events, at most `limit`; they are in flight until they are published or put back. */
export async function takeEvents(backlog: Backlog, limit: number): Promise<readonly OutboxEvent[]> {
  while (backlog.queue.length === 0 && backlog.unread < Number.POSITIVE_INFINITY) await readPage(backlog)
  backlog.inFlight = backlog.queue.splice(0, limit)
  return backlog.inFlight
}

async function readPage(backlog: Backlog) {
  const { store, pageSize, unread } = backlog
  backlog.unread = Number.POSITIVE_INFINITY
  backlog.isReading = true
  try {
    // Commits made meanwhile may be counted twice or not at all; the count is exact again once all is published.
    if (unread === 0) backlog.depth = (await rowCount(store.read).execute())[0]?.rows ?? 0
    const rows = await pageFrom(store.read).execute({ seq: unread, limit: pageSize })
    // Rewound meanwhile: the next page is the first again.
    if (backlog.unread === 0) return
    const last = rows.at(-1)
    if (last && rows.length === pageSize) backlog.unread = Math.min(backlog.unread, last.seq + 1)
    const { published, withdrawn } = backlog
    backlog.queue = rows
      .filter(({ eventId }) => !published.has(eventId) && !withdrawn.has(eventId))
      .map(({ seq, envelope }) => ({ seq, envelope: JSON.parse(envelope) as Envelope }))
  } catch (error) {
    backlog.unread = Math.min(backlog.unread, unread)
    throw error
  } finally {
    backlog.isReading = false
  }
}

/** True when there is, or may be, something to take. */
export const hasEvents = ({ queue, unread }: Backlog): boolean => queue.length > 0 || unread < Number.POSITIVE_INFINITY

/** The events in flight have arrived. `published` is the map of the connection that they were taken for. */
export function settleEvents(backlog: Backlog, published: Backlog['published'], atMs: number): void {
  for (const { seq, envelope } of backlog.inFlight) published.set(envelope.id, { seq, atMs })
  backlog.depth = Math.max(0, backlog.depth - backlog.inFlight.length)
  backlog.inFlight = []
}

/** The events in flight were refused, and are next again. */
export function putBackEvents(backlog: Backlog): void {
  const { inFlight, withdrawn, unread } = backlog
  const kept = inFlight.filter(({ envelope }) => !withdrawn.has(envelope.id))
  backlog.depth -= inFlight.length - kept.length
  backlog.inFlight = []
  // After a rewind the outbox is read again from its start, these with it.
  if (unread > 0) backlog.queue = [...kept, ...backlog.queue]
}

/** Drops an event. False when it was published, or is in flight; then it is dropped only if it is put back. */
export function withdrawEvent(backlog: Backlog, eventId: string): boolean {
  const { queue, inFlight, published, unread, withdrawn } = backlog
  const isThis = ({ envelope }: OutboxEvent) => envelope.id === eventId
  const isInFlight = inFlight.some(isThis)
  const place = queue.findLastIndex(isThis)
  const isUnread = unread < Number.POSITIVE_INFINITY && !published.has(eventId)
  if (!isInFlight && place < 0 && !isUnread) return false
  if (!withdrawn.has(eventId) && !isInFlight) backlog.depth -= 1
  if (place >= 0) queue.splice(place, 1)
  withdrawn.add(eventId)
  const [oldest] = withdrawn
  if (withdrawn.size > rememberWithdrawn && oldest) withdrawn.delete(oldest)
  return !isInFlight
}

/** The connection is lost: the broker may have lost what was published over it, so treat it as unpublished. */
export function forgetPublished(backlog: Backlog): void {
  backlog.published = new Map()
}

/** Starts again at the oldest event that still stands in the outbox. */
export function rewindBacklog(backlog: Backlog): void {
  forgetPublished(backlog)
  backlog.queue = []
  backlog.unread = 0
}
