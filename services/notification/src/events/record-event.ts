import { isoTime } from '@bursar/contracts/iso-time'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { desc, emit, insertInto, prepared, type Tx } from '@bursar/store'
import type { Event, EventData, EventType } from './events.model'
import { events, listedEvents } from './events.table'
import { newestOf } from './lists'

export type EventRow = typeof events.$inferSelect

/** The event as the API returns it. */
export const toEvent = ({ id, type, timestamp, data }: EventRow): Event => ({
  id,
  type,
  timestamp: isoTime(timestamp),
  data,
})

/**
 * Records an event and requests its delivery to the webhook endpoints of the transaction's participants.
 *
 * `since` is exact because timestamps become visible in their order. They are assigned inside the commit, later than
 * any that it finds, so of two concurrent commits one sees the other: here because there is one writer, and with
 * serializable transactions because the later one is retried. A clock that is stepped back gives no earlier timestamp:
 * events are a millisecond apart until the clock has caught up. The same holds above 1,000 events a second: a burst of
 * n events ends at most n milliseconds ahead of the clock.
 */
export async function recordEvent(tx: Tx, type: EventType, data: EventData, now: Date): Promise<EventRow> {
  const timestamp = await nextTimestamp(tx, now)
  const id = Bun.randomUUIDv7('hex', timestamp.getTime())
  const row: EventRow = { timestamp, id, type, data, transactionId: data.transactionId }
  await insertEvent(tx).execute(row)
  const participants = new Set([data.fromParticipant, data.toParticipant].filter((id) => id !== null))
  for (const participantId of ['', ...participants]) {
    await addToList(tx, { participantId, type: '' }, timestamp)
    await addToList(tx, { participantId, type }, timestamp)
  }
  for (const participantId of participants) await requestDelivery(tx, toEvent(row), participantId)
  return row
}

async function nextTimestamp(tx: Tx, now: Date): Promise<Date> {
  const newest = await newestTimestamp(tx)
  return newest && newest >= now ? new Date(newest.getTime() + 1) : now
}

/** The newest event's timestamp; null before the first event. */
export async function newestTimestamp(tx: Tx): Promise<Date | null> {
  const [newest] = await newestEvent(tx).execute()
  return newest?.timestamp ?? null
}

async function addToList(tx: Tx, list: { participantId: string; type: string }, timestamp: Date): Promise<void> {
  const [newest] = await newestOf(tx).execute(list)
  await insertListed(tx).execute({ ...list, timestamp, number: (newest?.number ?? 0) + 1 })
}

/** The body is the event as it is polled. Each participant's delivery has its own request id. */
const requestDelivery = (tx: Tx, event: Event, participantId: string) =>
  emit(tx, DeliveryRequested, {
    v: 1,
    requestId: `${event.id}.${participantId}`,
    eventType: event.type,
    participantId,
    endpointsOnly: true,
    fallbackUrl: null,
    headers: null,
    payload: event,
  })

const newestEvent = prepared((db) =>
  db.select({ timestamp: events.timestamp }).from(events).orderBy(desc(events.timestamp)).limit(1),
)
const insertEvent = insertInto(events)
const insertListed = insertInto(listedEvents)
