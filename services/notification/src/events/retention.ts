import { and, asc, lt, lte, param, prepared, type Retained } from '@bursar/store'
import { events, listedEvents } from './events.table'
import { isInList } from './lists'
import { type EventRow, listsOf, newestEvent } from './record-events'

/** Events leave by their age, except the newest one: the next event's timestamp must be later than its. */
export const retainedEvents: Retained<Pick<EventRow, 'timestamp' | 'type' | 'data'>> = {
  table: 'events',
  async oldest(db, { before, limit }) {
    const [newest] = await newestEvent(db).execute()
    if (!newest) return []
    const upTo = Math.min(newest.timestamp.getTime(), before.getTime())
    return await oldest(db).execute({ before: new Date(upTo), limit })
  },
  named: ({ timestamp }) => ({ at: timestamp, key: String(timestamp.getTime()) }),
  async remove(tx, rows) {
    const upTo = rows.at(-1)?.timestamp
    // Each list by its own key: an index by time alone would cost every event two places.
    const lists = new Map(rows.flatMap(listsOf).map((list) => [`${list.participantId} ${list.type}`, list]))
    for (const list of lists.values()) await deleteListed(tx).execute({ ...list, upTo })
    return await deleteEvents(tx).execute({ upTo })
  },
}

const oldest = prepared((db) =>
  db
    .select({ timestamp: events.timestamp, type: events.type, data: events.data })
    .from(events)
    .where(lt(events.timestamp, param('before')))
    .orderBy(asc(events.timestamp))
    .limit(param('limit')),
)
const deleteListed = prepared((db) =>
  db.delete(listedEvents).where(and(isInList(), lte(listedEvents.timestamp, param('upTo')))),
)
const deleteEvents = prepared((db) => db.delete(events).where(lte(events.timestamp, param('upTo'))), 'rows')
