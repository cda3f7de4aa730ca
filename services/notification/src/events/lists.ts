import { and, desc, eq, param, prepared } from '@bursar/store'
import { listedEvents } from './events.table'

/** The entries of one list: of `participantId` ('' for all) and `type` ('' for all types). */
export const isInList = () =>
  and(eq(listedEvents.participantId, param('participantId')), eq(listedEvents.type, param('type')))

/** The newest entry of a list. */
export const newestOf = prepared((db) =>
  db
    .select({ number: listedEvents.number })
    .from(listedEvents)
    .where(isInList())
    .orderBy(desc(listedEvents.timestamp))
    .limit(1),
)
