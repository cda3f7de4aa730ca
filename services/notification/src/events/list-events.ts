import { and, asc, type Db, eq, getTableColumns, gt, param, prepared } from '@bursar/store'
import type { EventQuery } from './events.model'
import { events, listedEvents } from './events.table'
import { isInList, newestOf } from './lists'
import type { EventRow } from './record-events'

/**
 * A page of the events after `since`, oldest first, so that a poller continues after the last one; a participant's
 * only, when one is given. It reads several times, so `db` must be a snapshot.
 */
export async function listEvents(
  db: Db,
  { type, transactionId, since = new Date(0), limit, offset }: EventQuery,
  participantId: string | null,
): Promise<{ rows: EventRow[]; total: number }> {
  if (transactionId !== undefined) {
    const known = await ofTransaction(db).execute({ transactionId, since, limit: mostOfOne })
    const rows = known.filter((row) => isOfType(row, type) && takesPart(row, participantId))
    return { rows: rows.slice(offset, offset + limit), total: rows.length }
  }
  const list = { participantId: participantId ?? '', type: type ?? '', since }
  const [first] = await firstAfter(db).execute(list)
  if (!first) return { rows: [], total: 0 }
  const [newest] = await newestOf(db).execute(list)
  const total = (newest?.number ?? first.number) - first.number + 1
  if (limit === 0 || offset >= total) return { rows: [], total }
  return { rows: await pageAfter(db).execute({ ...list, limit, offset }), total }
}

/** Far above the handful of events that a transaction has. */
const mostOfOne = 1000

const isOfType = (row: EventRow, type: EventQuery['type']) => type === undefined || row.type === type
const takesPart = ({ data }: EventRow, participantId: string | null) =>
  participantId === null || data.fromParticipant === participantId || data.toParticipant === participantId

const ofTransaction = prepared((db) =>
  db
    .select()
    .from(events)
    .where(and(eq(events.transactionId, param('transactionId')), gt(events.timestamp, param('since'))))
    .orderBy(asc(events.timestamp))
    .limit(param('limit')),
)

const isAfter = () => and(isInList(), gt(listedEvents.timestamp, param('since')))

const firstAfter = prepared((db) =>
  db
    .select({ number: listedEvents.number })
    .from(listedEvents)
    .where(isAfter())
    .orderBy(asc(listedEvents.timestamp))
    .limit(1),
)
/** Skipped rows are read from the list's index only, without looking up their events. */
const pageAfter = prepared((db) => {
  const listed = db
    .select({ timestamp: listedEvents.timestamp })
    .from(listedEvents)
    .where(isAfter())
    .orderBy(asc(listedEvents.timestamp))
    .limit(param('limit'))
    .offset(param('offset'))
    .as('listed')
  return db
    .select(getTableColumns(events))
    .from(listed)
    .innerJoin(events, eq(events.timestamp, listed.timestamp))
    .orderBy(asc(listed.timestamp))
})
