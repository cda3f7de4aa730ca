import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { countMessages } from './count-messages'
import { findPage, type RequestLimits } from './find-page'
import type { ExportQuery, LogMessagePage, LogMessageQuery, MessageFilter } from './log-messages.model'
import { always, type SeriesFilter, type Span, toExcluded } from './message-filter'
import { readOfSubject } from './read-of-subject'

/**
 * A page of log messages with the exact total. Fails (400) when the dates are reversed, or the page is too
 * deep for its sort; `limits` are for tests.
 */
export async function listLogMessages(
  db: Db,
  query: LogMessageQuery,
  limits: { requests?: RequestLimits; partRows?: number } = {},
): Promise<LogMessagePage> {
  const { limit, sortBy, sortOrder, requestId, transactionId } = query
  const wanted = { ...toFilter(query), ...toSpan(query) }
  const offset = query.offset * limit
  if (requestId !== undefined || transactionId !== undefined) {
    const paging = { sort: sortBy, order: sortOrder, limit, offset }
    const subject = { requestId, transactionId, ...wanted }
    const { messages, total } = await readOfSubject(db, subject, paging, limits.partRows)
    return toPage(messages, query, total)
  }
  const total = await countMessages(db, wanted, wanted)
  if (limit === 0 || offset >= total) return toPage([], query, total)
  const found = await findPage(db, sortBy, sortOrder, { ...wanted, limit, offset }, { total, limits: limits.requests })
  return toPage(found, query, total)
}

/** The query's condition on series. */
export const toFilter = ({ service, type, status, excludeTypes }: MessageFilter): SeriesFilter => ({
  service: service ?? null,
  eventType: type ?? null,
  status: status ?? null,
  excluded: toExcluded(excludeTypes),
})

/** Both dates are inclusive; the database has a resolution of milliseconds. */
export function toSpan({ startDate, endDate }: ExportQuery): Span {
  if (startDate && endDate && startDate > endDate) {
    const message = 'startDate must not be after endDate'
    throw fail('INVALID_REQUEST', { message, details: [{ field: 'startDate', message }] })
  }
  return { from: startDate ?? always.from, to: endDate ? new Date(+endDate + 1) : always.to }
}

const toPage = (data: LogMessagePage['data'], { offset, limit }: LogMessageQuery, total: number): LogMessagePage => ({
  data,
  pagination: { total, offset, limit, hasMore: offset * limit + data.length < total },
})
