import { isoTime } from '@bursar/contracts/iso-time'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { followTrace, traceOf } from '@bursar/http'
import { desc, emitAll, type InTurn, insertAll, inTurn, newId, prepared, type Tx } from '@bursar/store'
import type { Event, EventData, EventType } from './events.model'
import { events, listedEvents, waitingEvents } from './events.table'
import { newestOf } from './lists'

export type EventRow = typeof events.$inferSelect

/** The event as the API returns it. */
export const toEvent = ({ id, type, timestamp, data }: EventRow): Event => ({
  id,
  type,
  timestamp: isoTime(timestamp),
  data,
})

/** What an event tells. */
export interface Happening {
  type: EventType
  data: EventData
}

/** Records events, in one commit after another. */
export const eventRecording = (now: () => Date): InTurn<Happening, EventRow> =>
  inTurn(waitingEvents, 'The recording of events', (tx, happenings) => recordEvents(tx, happenings, now()))

/**
 * Records events in their order and requests their delivery to the webhook endpoints of the transactions' participants.
 *
 * `since` is exact because timestamps become visible in their order. They are assigned inside the commit, later than
 * any that it finds, and one commit after another does that. A clock that is stepped back gives no earlier timestamp:
 * events are a millisecond apart until the clock has caught up. The same holds above 1,000 events a second: a burst of
 * n events ends at most n milliseconds ahead of the clock.
 */
export async function recordEvents(tx: Tx, happenings: readonly Happening[], now: Date): Promise<EventRow[]> {
  const first = await nextTimestamp(tx, now)
  const rows = happenings.map(({ type, data }, i): EventRow => {
    const timestamp = new Date(first.getTime() + i)
    const id = newId(timestamp)
    return { timestamp, id, type, data, transactionId: data.transactionId }
  })
  await insertEvents(tx, rows)
  await addToLists(tx, rows)
  await emitAll(
    tx,
    DeliveryRequested,
    rows.flatMap((row) => participantsOf(row).map((participantId) => deliveryOf(toEvent(row), participantId, now))),
  )
  return rows
}

async function nextTimestamp(tx: Tx, now: Date): Promise<Date> {
  const [newest] = await newestEvent(tx).execute()
  return newest && newest.timestamp >= now ? new Date(newest.timestamp.getTime() + 1) : now
}

type Listed = Pick<EventRow, 'type' | 'data'>

const participantsOf = ({ data: { fromParticipant, toParticipant } }: Listed): string[] => [
  ...new Set([fromParticipant, toParticipant].filter((id) => id !== null)),
]

/** The lists that an event is in. */
export const listsOf = (row: Listed): { participantId: string; type: string }[] =>
  ['', ...participantsOf(row)].flatMap((participantId) => ['', row.type].map((type) => ({ participantId, type })))

/** Each event takes the next number of each of its lists. */
async function addToLists(tx: Tx, rows: readonly EventRow[]): Promise<void> {
  const newest = new Map<string, number>()
  const listed = []
  for (const row of rows) {
    for (const { participantId, type } of listsOf(row)) {
      const list = `${participantId} ${type}`
      const before = newest.get(list) ?? (await newestOf(tx).execute({ participantId, type }))[0]?.number ?? 0
      newest.set(list, before + 1)
      listed.push({ participantId, type, timestamp: row.timestamp, number: before + 1 })
    }
  }
  await insertListed(tx, listed)
}

/** The body is the event as it is polled. Each participant's delivery has its own request id. */
function deliveryOf(event: Event, participantId: string, at: Date) {
  const requestId = `${event.id}.${participantId}`
  // Traces are followed by what the delivery is of.
  followTrace(requestId, traceOf(event.data.transactionId))
  const data = {
    v: 1 as const,
    requestId,
    eventType: event.type,
    participantId,
    endpointsOnly: true,
    fallbackUrl: null,
    headers: null,
    payload: event,
  }
  return { data, at }
}

/** The newest event; none before the first. */
export const newestEvent = prepared((db) =>
  db.select({ timestamp: events.timestamp }).from(events).orderBy(desc(events.timestamp)).limit(1),
)
const insertEvents = insertAll(events)
const insertListed = insertAll(listedEvents)
