import { isoTime } from '@bursar/contracts/iso-time'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { desc, emit, insertInto, prepared, type Tx } from '@bursar/store'
import type { Event, EventData, EventType } from './events.model'
import { events, listedEvents } from './events.table'
import { newestOf } from './lists'

export type EventRow = typeof events.$inferSelect

/** The event as it goes out. */
export const toEvent = ({ id, type, timestamp, data }: EventRow): Event => ({
  id,
  type,
  timestamp: isoTime(timestamp),
  data,
})

/**
 * Records what happened, and has it delivered to the webhook endpoints of the participants that take part.
 *
 * `since` is exact because timestamps become visible in their order. The commit itself gives them, later than any that
 * it finds, so that of two concurrent commits the database lets one see the other: here, where one writer serves all,
 * and with serializable transactions, where the later one runs again. A clock that is stepped back gives no earlier
 * timestamp: events go on a millisecond apart until it has caught up. So they do for more than 1,000 events a second:
 * a burst of n events ends at most n milliseconds ahead of the clock.
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

/** The last timestamp that was given; null before the first. */
export async function newestTimestamp(tx: Tx): Promise<Date | null> {
  const [newest] = await newestEvent(tx).execute()
  return newest?.timestamp ?? null
}

async function addToList(tx: Tx, list: { participantId: string; type: string }, timestamp: Date): Promise<void> {
  const [newest] = await newestOf(tx).execute(list)
  await insertListed(tx).execute({ ...list, timestamp, number: (newest?.number ?? 0) + 1 })
}

/** The body is the event as it is polled. Each participant's has a request id of its own: it shows where it went. */
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
