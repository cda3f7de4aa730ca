import type { components } from '#types/log-tracker'
import { dataOf, serviceUrl, tracker } from '../../api/services'
import type { FilterValues } from '../../format/filters'
import { periodOf, type ZoneName } from '../../format/time'

export type LogMessage = components['schemas']['LogMessage']

export const filterNames = ['service', 'type', 'status', 'requestId', 'transactionId', 'from', 'to', 'rates'] as const
export type LogFilters = FilterValues<(typeof filterNames)[number]>

/** A read of a rate writes two messages, which would hide the others. */
const rateTypes = 'VALUATION_REQUESTED,VALUATION_PROCESSED'

/** Whether messages about rates are left out: not if the filter names an event, request or transaction. */
export const hidesRates = ({ rates, type, requestId, transactionId }: LogFilters): boolean =>
  rates !== 'show' && type === '' && requestId === '' && transactionId === ''

/** The log's filters as query parameters of the tracker, whose dates are inclusive. */
export function queryOf(filters: LogFilters, zone: ZoneName) {
  const { service, type, status, requestId, transactionId, from, to } = filters
  const period = periodOf({ from, to }, zone)
  const query = {
    service,
    type,
    status,
    requestId,
    transactionId,
    excludeTypes: hidesRates(filters) ? rateTypes : '',
    startDate: period.from ?? '',
    endDate: period.to ?? '',
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
}

/** The stream with these filters; null if a filter sets the end, so that nothing new can match. */
export function streamUrl(filters: LogFilters): string | null {
  if (filters.to !== '') return null
  const { startDate: _, ...query } = queryOf(filters, 'utc')
  const text = new URLSearchParams(query).toString()
  return serviceUrl('tracker', `/log-messages/stream${text === '' ? '' : `?${text}`}`)
}

export const pageSize = 100

/** The newest messages, or those before a moment; `offset` continues a moment with more than a page. */
export async function readPage(
  query: Record<string, string>,
  { offset = 0, signal }: { offset?: number; signal?: AbortSignal } = {},
) {
  const asked = { ...query, limit: pageSize, offset }
  const { data, pagination } = await dataOf(
    // The URL may contain anything: the tracker refuses values that are not valid.
    tracker.GET('/log-messages', { params: { query: asked as never }, signal }),
  )
  return { messages: data, total: pagination.total, hasMore: pagination.hasMore }
}
