import { and, asc, type Build, type Db, desc, eq, inArray, param, queryAmong, variants } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import type { LogMessage, SortOrder } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import {
  inSpan,
  isAlways,
  isOfWantedSeries,
  type SeriesFilter,
  type Span,
  seriesIsWanted,
  takesAll,
} from './message-filter'

/** The input of every way to read a page. */
export interface PageRequest extends SeriesFilter, Span {
  limit: number
  /** Rows to skip, in the order of the page. */
  offset: number
}

/** Ties are sorted by time, then by arrival, in the direction of the sort, so that pages never overlap or skip. */
function inOrder(
  sort: 'timestamp' | 'request_id',
  order: SortOrder,
  { requestId, timestamp, seq }: Record<'requestId' | 'timestamp' | 'seq', AnyColumn> = logMessages,
) {
  const byTime = [timestamp, seq]
  return (sort === 'timestamp' ? byTime : [requestId, ...byTime]).map(order === 'asc' ? asc : desc)
}

/** A statement for each direction, which finds the page in an index; only its rows are then read. */
function pageReader(places: (order: SortOrder) => Build<{ seq: number }[]>) {
  const statementFor = variants(({ order }: { order: SortOrder }) => places(order))
  return async (db: Db, order: SortOrder, request: PageRequest): Promise<LogMessage[]> =>
    await messagesAt(db, await statementFor({ order })(db).execute({ ...request }))
}

/** The messages at these places, in their order. */
export async function messagesAt(db: Db, places: readonly { seq: number }[]): Promise<LogMessage[]> {
  const seqs = places.map(({ seq }) => seq)
  const rows = await rowsAt(db, seqs)
  const bySeq = new Map(rows.map((row) => [row.log_messages.seq, toLogMessage(row)]))
  return seqs.flatMap((seq) => bySeq.get(seq) ?? [])
}

const rowsAt = queryAmong(
  (seqs) => (db) =>
    db
      .select()
      .from(logMessages)
      .innerJoin(logSeries, eq(logSeries.id, logMessages.seriesId))
      .where(inArray(logMessages.seq, seqs)),
)

/** A message and its series, as a join reads them. */
export interface MessageRow {
  log_messages: typeof logMessages.$inferSelect
  log_series: typeof logSeries.$inferSelect
}

export const toLogMessage = ({ log_messages: message, log_series: series }: MessageRow): LogMessage => ({
  id: message.id,
  service: series.service,
  request_id: message.requestId,
  // Only values that the contract allows are stored.
  event_type: series.eventType as LogMessage['event_type'],
  status: series.status as LogMessage['status'],
  timestamp: message.timestamp.toISOString(),
  metadata: message.metadata,
})

const seq = { seq: logMessages.seq }
const [limit, offset] = [param('limit'), param('offset')]

/** In order of time, scanning the whole span. Best for a short span. */
export const readAlongTime = pageReader(
  (order) => (db) =>
    db
      .select(seq)
      .from(logMessages)
      .where(and(inSpan(logMessages.timestamp), isOfWantedSeries(db)))
      .orderBy(...inOrder('timestamp', order))
      .limit(limit)
      .offset(offset),
)

/** Looks up each series and sorts the result. Best for few matches, however long the span. */
const readBySeries = (sort: 'timestamp' | 'request_id') =>
  pageReader(
    (order) => (db) =>
      db
        .select(seq)
        .from(logSeries)
        // A cross join is executed in the written order.
        .crossJoin(logMessages)
        .where(and(seriesIsWanted, eq(logMessages.seriesId, logSeries.id), inSpan(logMessages.timestamp)))
        .orderBy(...inOrder(sort, order))
        .limit(limit)
        .offset(offset),
  )
export const readByTimeOfSeries = readBySeries('timestamp')
export const readByRequestOfSeries = readBySeries('request_id')

/** In order of request ids, among the first `most` messages only, matching or not. Best for many matches. */
export async function readAlongRequests(db: Db, order: SortOrder, request: PageRequest & { most: number }) {
  // Testing a condition on a skipped row costs several times more than skipping it.
  const form = { order, isFiltered: !takesAll(request), isDated: !isAlways(request) }
  return await messagesAt(db, await alongRequests(form)(db).execute({ ...request }))
}

const alongRequests = variants(
  ({ order, isFiltered, isDated }: { order: SortOrder; isFiltered: boolean; isDated: boolean }) =>
    (db) => {
      const first = db
        .select({
          ...seq,
          timestamp: logMessages.timestamp,
          requestId: logMessages.requestId,
          seriesId: logMessages.seriesId,
        })
        .from(logMessages)
        .orderBy(...inOrder('request_id', order))
        .limit(param('most'))
        .as('first_messages')
      return db
        .select({ seq: first.seq })
        .from(first)
        .where(
          and(
            isDated ? inSpan(first.timestamp) : undefined,
            isFiltered ? isOfWantedSeries(db, first.seriesId) : undefined,
          ),
        )
        .orderBy(...inOrder('request_id', order, first))
        .limit(limit)
        .offset(offset)
    },
)
