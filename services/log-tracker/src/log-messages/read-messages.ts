import { and, asc, type Db, desc, eq, inArray, param, prepared, type SQL, sql, unindexed } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import type { LogMessage, SortKey, SortOrder } from './log-messages.model'
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

/** Reads the messages of one page. */
export type PageReader = (db: Db, order: SortOrder, request: PageRequest) => Promise<LogMessage[]>

const sortColumns: Record<SortKey, AnyColumn> = {
  timestamp: logMessages.timestamp,
  service: logSeries.service,
  status: logSeries.status,
  event_type: logSeries.eventType,
  request_id: logMessages.requestId,
}

/** Ties are sorted by time, then by arrival, in the direction of the sort, so that pages never overlap or skip. */
export function inOrder(sort: SortKey, order: SortOrder) {
  const columns = [logMessages.timestamp, logMessages.seq]
  return [...(sort === 'timestamp' ? [] : [sortColumns[sort]]), ...columns].map(order === 'asc' ? asc : desc)
}

/** A statement for each direction. `places` finds the page's `seq`s in an index; only those rows are then read. */
export function pageReader(sort: SortKey, places: (db: Db, order: SortOrder) => Pick<SQL, 'getSQL'>): PageReader {
  const declare = (order: SortOrder) =>
    prepared((db) =>
      db
        .select()
        .from(logMessages)
        .innerJoin(logSeries, eq(logSeries.id, logMessages.seriesId))
        .where(inArray(logMessages.seq, places(db, order)))
        .orderBy(...inOrder(sort, order)),
    )
  const statements = { asc: declare('asc'), desc: declare('desc') }
  return async (db, order, request) => {
    const rows = await statements[order](db).execute({ ...request })
    return rows.map((row) => toLogMessage(row.log_messages, row.log_series))
  }
}

export const toLogMessage = (
  message: typeof logMessages.$inferSelect,
  series: typeof logSeries.$inferSelect,
): LogMessage => ({
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
export const readAlongTime = pageReader('timestamp', (db, order) =>
  db
    .select(seq)
    .from(logMessages)
    .where(and(inSpan(logMessages.timestamp), isOfWantedSeries(db)))
    .orderBy(...inOrder('timestamp', order))
    .limit(limit)
    .offset(offset),
)

/** Looks up each series and sorts the result. Best for few matches, however long the span. */
const readBySeries = (sort: SortKey) =>
  pageReader(sort, (db, order) =>
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

const isInSpan = sql`${unindexed(logMessages.timestamp)} >= ${sql.param(param('from'), logMessages.timestamp)} and ${unindexed(logMessages.timestamp)} < ${sql.param(param('to'), logMessages.timestamp)}`

/** Testing a condition on a skipped row costs several times more than skipping it. */
const alongRequests = (isFiltered: boolean, isDated: boolean) =>
  pageReader('request_id', (db, order) =>
    db
      .select(seq)
      .from(logMessages)
      .where(and(isDated ? isInSpan : undefined, isFiltered ? isOfWantedSeries(db) : undefined))
      .orderBy(...inOrder('request_id', order))
      .limit(limit)
      .offset(offset),
  )
const [all, dated, filtered, both] = [
  alongRequests(false, false),
  alongRequests(false, true),
  alongRequests(true, false),
  alongRequests(true, true),
]

/** In order of request ids, scanning all messages. Best for many matches. */
export const readAlongRequests: PageReader = (db, order, request) => {
  const isDated = !isAlways(request)
  const read = takesAll(request) ? (isDated ? dated : all) : isDated ? both : filtered
  return read(db, order, request)
}
