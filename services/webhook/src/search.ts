import { foldedId, isUuid } from '@bursar/contracts/schema'
import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, type Db, eq, gte, lt, param, variants } from '@bursar/store'
import { findDelivery, type ListedRow, shownUrl } from './deliveries/deliveries'
import { deliveryList } from './deliveries/find-deliveries'
import { type EndpointRow, findEndpoint } from './endpoints/endpoints'
import { endpoints } from './endpoints/endpoints.table'
import { isIn } from './scope'

const most = 5

/** Deliveries by id or resource, endpoints by id or the beginning of their URL. */
export async function searchWebhooks(db: Db, { q, participantId: scope }: Sought): Promise<SearchHit[]> {
  const id = isUuid(q) ? q.toLowerCase() : null
  const named = id === null ? await endpointsByUrl(db, q, scope) : [await findEndpoint(db, id)]
  const delivery = id === null ? undefined : await findDelivery(db, id)
  const resource = { resourceId: foldedId(q), participantId: scope ?? undefined }
  const told = await deliveryList.page(db, resource, { order: 'desc', limit: most })
  const isSeen = <R extends Pick<ListedRow, 'participantId'>>(row: R | undefined): row is R =>
    row !== undefined && isIn(scope, row)
  const hits = [
    ...named.filter(isSeen).map(endpointHit),
    ...[delivery, ...told].filter(isSeen).map((row) => deliveryHit(row, scope)),
  ]
  return [...new Map(hits.map((hit) => [hit.id, hit])).values()]
}

/** The scheme may be omitted. */
async function endpointsByUrl(db: Db, q: string, participantId: string | null): Promise<EndpointRow[]> {
  const beginnings = /^https?:/i.test(q) ? [q] : [`https://${q}`, `http://${q}`]
  const urls = urlsFrom({ isScoped: participantId !== null })(db)
  const rows: EndpointRow[] = []
  for (const from of beginnings) {
    rows.push(...(await urls.execute({ participantId, from, to: `${from}\uffff`, limit: most })))
  }
  return rows.slice(0, most)
}

const endpointHit = ({ id, url, eventTypes, status, createdAt }: EndpointRow): SearchHit => ({
  kind: 'endpoint',
  id,
  title: url,
  detail: eventTypes.length === 0 ? 'All events' : eventTypes.join(', '),
  status,
  at: createdAt.toISOString(),
})

const deliveryHit = (row: ListedRow, participantId: string | null): SearchHit => ({
  kind: 'delivery',
  id: row.id,
  title: `Delivery of ${row.eventType}`,
  detail: row.url === '' ? 'No endpoint' : `To ${shownUrl(row, participantId)}`,
  status: row.status,
  at: row.createdAt.toISOString(),
})

/** Of a participant's own ones alone where it asks: others' must not use up the limit. */
const urlsFrom = variants(({ isScoped }: { isScoped: boolean }) => (db) => {
  const isOwn = isScoped ? eq(endpoints.participantId, param('participantId')) : undefined
  return db
    .select()
    .from(endpoints)
    .where(and(isOwn, gte(endpoints.url, param('from')), lt(endpoints.url, param('to'))))
    .orderBy(asc(endpoints.url))
    .limit(param('limit'))
})
