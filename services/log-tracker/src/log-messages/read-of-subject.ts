import { and, count, type Db, eq, param, prepared, sql } from '@bursar/store'
import type { SortKey } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { inSpan, seriesIsWanted } from './message-filter'
import { inOrder, type PageReader, type PageRequest, pageReader } from './read-messages'

/** What a few messages of all are about: an index finds them at once. */
export type Subject = 'request' | 'transaction'

export const isOfSubject = {
  request: eq(logMessages.requestId, param('requestId')),
  transaction: and(
    eq(logMessages.transactionId, param('transactionId')),
    sql`(${param('requestId')} is null or +${logMessages.requestId} = ${param('requestId')})`,
  ),
}

const isItsSeries = eq(logSeries.id, sql`+${logMessages.seriesId}`)
const isWanted = (subject: Subject) => and(isOfSubject[subject], inSpan(logMessages.timestamp), seriesIsWanted)

const readBy = (subject: Subject, sort: SortKey): PageReader =>
  pageReader(sort, (db, order) =>
    db
      .select({ seq: logMessages.seq })
      .from(logMessages)
      .innerJoin(logSeries, isItsSeries)
      .where(isWanted(subject))
      .orderBy(...inOrder(sort, order))
      .limit(param('limit'))
      .offset(param('offset')),
  )
const readers = (subject: Subject): Record<SortKey, PageReader> => ({
  timestamp: readBy(subject, 'timestamp'),
  service: readBy(subject, 'service'),
  status: readBy(subject, 'status'),
  event_type: readBy(subject, 'event_type'),
  request_id: readBy(subject, 'request_id'),
})

/** A page of the messages of one request, or of one transaction (of `requestId` too, where that is given). */
export const readOf = { request: readers('request'), transaction: readers('transaction') }

const countBy = (subject: Subject) =>
  prepared((db) =>
    db.select({ messages: count() }).from(logMessages).innerJoin(logSeries, isItsSeries).where(isWanted(subject)),
  )
const counts = { request: countBy('request'), transaction: countBy('transaction') }

/** How many wanted messages a subject has in the span. */
export async function countOf(db: Db, subject: Subject, request: PageRequest): Promise<number> {
  const [row] = await counts[subject](db).execute({ ...request })
  return row?.messages ?? 0
}
