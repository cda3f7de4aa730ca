import { foldedId, isUuid } from '@bursar/contracts/schema'
import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, asc, byKey, type Db, eq, gte, lt, param, variants } from '@bursar/store'
import { type ListedRow, shownUrl } from './deliveries/deliveries'
import { deliveries } from './deliveries/deliveries.table'
import { type DeliveryFilter, deliveryList } from './deliveries/find-deliveries'
import { type EndpointRow, findEndpoint } from './endpoints/endpoints'
import { endpoints } from './endpoints/endpoints.table'
import { isIn } from './scope'

const most = 5

/** Deliveries by id or resource, endpoints by id or the beginning of their URL. */
export async function searchWebhooks(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const found = isUuid(q) ? await byId(db, q.toLowerCase(), participantId) : await endpointsByUrl(db, q, participantId)
  const told = await deliveryList.page(db, aboutResource(q, participantId), { order: 'desc', limit: most })
  return [
    ...found.filter((hit) => isIn(participantId, hit.row)),
    ...told.map((row) => ({ row, hit: deliveryHit(row, participantId) })),
  ]
    .map(({ hit }) => hit)
    .filter((hit, i, all) => all.findIndex(({ id }) => id === hit.id) === i)
}

const aboutResource = (q: string, participantId: string | null): DeliveryFilter => ({
  resourceId: foldedId(q),
  participantId: participantId ?? undefined,
})

type Found = { row: { participantId: string | null }; hit: SearchHit }

async function byId(db: Db, id: string, participantId: string | null): Promise<Found[]> {
  const endpoint = await findEndpoint(db, id)
  const [delivery] = await deliveryById(db).execute({ id })
  return [
    ...(endpoint ? [{ row: endpoint, hit: endpointHit(endpoint) }] : []),
    ...(delivery ? [{ row: delivery, hit: deliveryHit(delivery, participantId) }] : []),
  ]
}

/** The scheme may be omitted. */
async function endpointsByUrl(db: Db, q: string, participantId: string | null): Promise<Found[]> {
  const beginnings = /^https?:/i.test(q) ? [q] : [`https://${q}`, `http://${q}`]
  const urls = urlsFrom({ isScoped: participantId !== null })(db)
  const rows: EndpointRow[] = []
  for (const from of beginnings) {
    rows.push(...(await urls.execute({ participantId, from, to: `${from}\uffff`, limit: most })))
  }
  return rows.slice(0, most).map((row) => ({ row, hit: endpointHit(row) }))
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

const deliveryById = byKey(deliveries, 'id')
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
