import type { Envelope } from '@bursar/contracts/event'
import { asc, count, gt, max } from 'drizzle-orm'
import type { OutboxEvent } from './events'
import type { Store } from './open-store'
import { outbox } from './schema'
import { param, prepared } from './statements'

const rememberWithdrawn = 1000

/** The events that wait to be published, in `seq` order: in memory while they fit, read from the outbox when not. */
export interface Backlog {
  readonly store: Store
  /** Most events in `queue`. */
  readonly memory: number
  readonly pageSize: number
  queue: OutboxEvent[]
  /** Taken, and neither published nor put back. */
  inFlight: readonly OutboxEvent[]
  /** How often it was rewound when they were taken. */
  takenAtRewind: number
  rewinds: number
  /** The outbox holds events after `cursor` that the queue does not have. At the start, all of them. */
  behind: boolean
  cursor: number
  newest: number
  publishedUpTo: number
  /** Events that are committed but not published. */
  depth: number
  /** Resolves when those that stood in the outbox at the start are counted. */
  counted: Promise<void>
  /** What was committed before that, and may have been counted with them. */
  uncounted: number[] | null
  withdrawn: Set<string>
}

const pageAfter = prepared((db) =>
  db
    .select({ seq: outbox.seq, envelope: outbox.envelope })
    .from(outbox)
    .where(gt(outbox.seq, param('seq')))
    .orderBy(asc(outbox.seq))
    .limit(param('limit')),
)
const extent = prepared((db) => db.select({ rows: count(), newest: max(outbox.seq) }).from(outbox))

export function createBacklog(store: Store, memory: number, pageSize: number): Backlog {
  const backlog: Backlog = {
    store,
    memory,
    pageSize,
    queue: [],
    inFlight: [],
    takenAtRewind: 0,
    rewinds: 0,
    behind: true,
    cursor: 0,
    newest: 0,
    publishedUpTo: 0,
    depth: 0,
    counted: Promise.resolve(),
    uncounted: [],
    withdrawn: new Set(),
  }
  // It fails only when the store does, which the relay hears from its first page.
  backlog.counted = countOutbox(backlog).catch(() => {
    backlog.uncounted = null
  })
  return backlog
}

async function countOutbox(backlog: Backlog) {
  const [row] = await extent(backlog.store.read).execute()
  const newest = row?.newest ?? 0
  const twice = (backlog.uncounted ?? []).filter((seq) => seq <= newest)
  backlog.depth += (row?.rows ?? 0) - twice.length
  backlog.uncounted = null
}

/** Adds events that were committed just now. */
export function pushEvents(backlog: Backlog, events: readonly OutboxEvent[]): void {
  backlog.depth += events.length
  backlog.uncounted?.push(...events.map(({ seq }) => seq))
  backlog.newest = events.at(-1)?.seq ?? backlog.newest
  if (backlog.queue.length + events.length > backlog.memory) backlog.behind = true
  if (backlog.behind) return
  for (const event of events) backlog.queue.push(event)
  backlog.cursor = backlog.newest
}

/** The next events, at most `limit`; they are in flight until they are published or put back. */
export async function takeEvents(backlog: Backlog, limit: number): Promise<readonly OutboxEvent[]> {
  while (backlog.queue.length === 0 && backlog.behind) await readPage(backlog)
  backlog.inFlight = backlog.queue.splice(0, limit)
  backlog.takenAtRewind = backlog.rewinds
  return backlog.inFlight
}

async function readPage(backlog: Backlog) {
  const { newest, rewinds, cursor, pageSize, withdrawn } = backlog
  const rows = await pageAfter(backlog.store.read).execute({ seq: cursor, limit: pageSize })
  if (rewinds !== backlog.rewinds) return
  backlog.cursor = rows.at(-1)?.seq ?? cursor
  backlog.queue = rows
    .map(({ seq, envelope }) => ({ seq, envelope: JSON.parse(envelope) as Envelope }))
    .filter(({ envelope }) => !withdrawn.has(envelope.id))
  // A short page was the last, unless more was committed while it was read.
  if (rows.length < pageSize && newest === backlog.newest) backlog.behind = false
}

/** True when there is, or may be, something to take. */
export const hasEvents = ({ queue, behind }: Backlog): boolean => queue.length > 0 || behind

/** The events in flight have arrived. */
export function settleEvents(backlog: Backlog): void {
  const { inFlight, publishedUpTo } = backlog
  // Those sent again after a rewind were counted the first time.
  const fresh = inFlight.filter(({ seq }) => seq > publishedUpTo)
  backlog.depth = Math.max(0, backlog.depth - fresh.length)
  backlog.publishedUpTo = Math.max(publishedUpTo, inFlight.at(-1)?.seq ?? 0)
  backlog.inFlight = []
}

/** The events in flight were refused, and are next again. */
export function putBackEvents(backlog: Backlog): void {
  const { inFlight, publishedUpTo, withdrawn } = backlog
  const kept = inFlight.filter(({ envelope }) => !withdrawn.has(envelope.id))
  const dropped = inFlight.filter(({ seq, envelope }) => seq > publishedUpTo && withdrawn.has(envelope.id))
  backlog.depth -= dropped.length
  backlog.inFlight = []
  // After a rewind the outbox is read again from its start, these with it.
  if (backlog.takenAtRewind === backlog.rewinds) backlog.queue = [...kept, ...backlog.queue]
}

/** Drops an event. False when it was published, or is in flight; then it is dropped only if it is put back. */
export function withdrawEvent(backlog: Backlog, eventId: string): boolean {
  const isThis = ({ envelope }: OutboxEvent) => envelope.id === eventId
  const isInFlight = backlog.inFlight.some(isThis)
  const place = backlog.queue.findLastIndex(isThis)
  if (!isInFlight && place < 0 && !backlog.behind) return false
  if (!backlog.withdrawn.has(eventId) && !isInFlight) backlog.depth -= 1
  if (place >= 0) backlog.queue.splice(place, 1)
  backlog.withdrawn.add(eventId)
  const [oldest] = backlog.withdrawn
  if (backlog.withdrawn.size > rememberWithdrawn && oldest) backlog.withdrawn.delete(oldest)
  return !isInFlight
}

/** Starts again at the oldest event that still stands in the outbox. */
export function rewindBacklog(backlog: Backlog): void {
  backlog.rewinds += 1
  backlog.queue = []
  backlog.cursor = 0
  backlog.behind = true
}
