import { foldedId } from '@bursar/contracts/schema'
import { and, type Db, desc, eq, isNotNull, param, variants } from '@bursar/store'
import { fail } from '../errors'
import { type ListedRow, listedColumns, toDelivery } from './deliveries'
import type { DeliveriesQuery, Delivery, EndpointDeliveriesQuery } from './deliveries.model'
import { type DeliveryStatus, deliveries } from './deliveries.table'
import { type DeliveryFilter, deliveryList } from './find-deliveries'

const mostPerRequest = 200
/** Orders several deliveries of one request: the one that needs attention first. */
const attention: readonly DeliveryStatus[] = ['failed', 'pending_retry', 'delivered']

/**
 * The delivery for a request, or for an event that each participant concerned is told of: of several, a failed one, else a
 * pending one, else the newest. Fails with 404.
 */
export async function deliveryOfRequest(db: Db, requestId: string, scope: string | null): Promise<ListedRow> {
  const resourceId = foldedId(requestId)
  const filter = { resourceId, participantId: scope ?? undefined }
  const rows = await deliveryList.page(db, filter, { order: 'desc', limit: mostPerRequest })
  const found = rows.filter((row) => [resourceId, `${resourceId}.${row.participantId}`].includes(row.requestId))
  const rank = ({ status }: ListedRow) => attention.indexOf(status)
  const [first] = found.toSorted((a, b) => rank(a) - rank(b))
  if (!first) throw fail('NO_DELIVERY')
  return first
}

/** Failed deliveries, the latest failure first. */
export const failedDeliveries = (db: Db, scope: string | null, limit: number): Promise<ListedRow[]> =>
  failed({ isScoped: scope !== null })(db).execute({ participantId: scope, limit })

/** All pending deliveries as the API returns them, oldest first, in chunks. */
export async function* readPending(db: Db, scope: string | null): AsyncGenerator<Delivery[]> {
  const pending = { status: 'pending_retry', participantId: scope ?? undefined } as const
  for await (const rows of deliveryList.chunks(db, pending, {}, 100)) {
    yield rows.map((row) => toDelivery(row, scope))
  }
}

/** An endpoint's deliveries created within a period, newest first. */
export const deliveriesOfEndpoint = (
  db: Db,
  endpointId: string,
  { limit, since: from, until: to, before }: EndpointDeliveriesQuery,
): Promise<ListedRow[]> =>
  deliveryList.page(db, { endpointId, from, to }, { order: 'desc', after: before?.toLowerCase(), limit })

const failed = variants(
  ({ isScoped }: { isScoped: boolean }) =>
    (db) =>
      db
        .select(listedColumns)
        .from(deliveries)
        .where(
          and(
            isNotNull(deliveries.failedAt),
            isScoped ? eq(deliveries.participantId, param('participantId')) : undefined,
          ),
        )
        .orderBy(desc(deliveries.failedAt), desc(deliveries.id))
        .limit(param('limit')),
)

const mostResources = 25

/** A page of deliveries, with their total on request. Fails with 400. */
export async function listDeliveries(
  db: Db,
  { resourceId, limit, order = 'desc', after, count = false, event: eventType, ...filter }: DeliveriesQuery,
  scope: string | null,
): Promise<{ rows: ListedRow[]; total: number | null }> {
  const participantId = filter.participantId === undefined ? undefined : foldedId(filter.participantId)
  const isOfAnother = scope !== null && participantId !== undefined && participantId !== scope
  if (isOfAnother) return { rows: [], total: count ? 0 : null }
  const common: DeliveryFilter = { ...filter, eventType, participantId: scope ?? participantId }
  const filters = resourcesOf(resourceId).map((id) => ({ ...common, resourceId: id }))
  const found = await Promise.all(filters.map((each) => deliveryList.page(db, each, { order, after, limit })))
  const totals = count ? await Promise.all(filters.map((each) => deliveryList.count(db, each))) : null
  return { rows: merged(found, order).slice(0, limit), total: totals?.reduce((sum, each) => sum + each, 0) ?? null }
}

/** The resource ids of a query; `[undefined]` for any resource. */
function resourcesOf(text: string | undefined): (string | undefined)[] {
  if (text === undefined) return [undefined]
  const ids = [...new Set(text.split(',').map((id) => foldedId(id.trim())))].filter((id) => id !== '')
  if (ids.length >= 1 && ids.length <= mostResources) return ids
  const message = `resourceId must name 1 to ${mostResources} ids, with commas between them`
  throw fail('RESOURCES_INVALID', { fields: [{ field: 'resourceId', message }] })
}

/** Merges the pages of several resources, by age. */
function merged([first = [], ...others]: ListedRow[][], order: 'asc' | 'desc'): ListedRow[] {
  if (others.length === 0) return first
  const sign = order === 'asc' ? 1 : -1
  return [first, ...others].flat().sort((a, b) => (a.id < b.id ? -sign : sign))
}
