import { foldedId } from '@bursar/contracts/schema'
import { and, type Db, defineList, desc, eq, isNotNull, param, prepared, variants } from '@bursar/store'
import { fail } from '../errors'
import { isIn } from '../scope'
import { type ListedRow, listedColumns, toDelivery } from './deliveries'
import type { Delivery, EndpointDeliveriesQuery } from './deliveries.model'
import { type DeliveryStatus, deliveries } from './deliveries.table'

const mostPerRequest = 200
/** Orders several deliveries of one request: the one that needs attention first. */
const attention: readonly DeliveryStatus[] = ['failed', 'pending_retry', 'delivered']

/** The delivery for a request: of several, a failed one, else a pending one, else the newest. Fails with 404. */
export async function deliveryOfRequest(db: Db, requestId: string, scope: string | null): Promise<ListedRow> {
  const rows = await byRequest(db).execute({ requestId: foldedId(requestId), limit: mostPerRequest })
  const found = rows.filter((row) => isIn(scope, row))
  const rank = ({ status }: ListedRow) => attention.indexOf(status)
  const [first] = found.toSorted((a, b) => rank(a) - rank(b))
  if (!first) throw fail('NO_DELIVERY')
  return first
}

/** Failed deliveries, the latest failure first. */
export const failedDeliveries = (db: Db, scope: string | null, limit: number): Promise<ListedRow[]> =>
  failed({ isScoped: scope !== null })(db).execute({ participantId: scope, limit })

/** Deliveries of an endpoint or of a status, by age. */
const plainList = defineList({
  id: deliveries.id,
  rows: (db) => db.select(listedColumns).from(deliveries),
  to: (row): ListedRow => row,
  read: ({ since, until, ...filter }: PlainFilter) => ({
    form: {
      ofEndpoint: filter.endpointId !== undefined,
      isPending: filter.isPending ?? false,
      isScoped: (filter.participantId ?? null) !== null,
    },
    values: filter,
    time: { from: since, to: until },
  }),
  where: ({ ofEndpoint, isPending, isScoped }) =>
    and(
      ofEndpoint ? eq(deliveries.endpointId, param('endpointId')) : undefined,
      isPending ? eq(deliveries.status, 'pending_retry') : undefined,
      inScope(isScoped),
    ),
})

interface PlainFilter {
  endpointId?: string
  isPending?: boolean
  participantId?: string | null
  since?: Date | undefined
  until?: Date | undefined
}

/** All pending deliveries as the API returns them, oldest first, in chunks. */
export async function* readPending(db: Db, scope: string | null): AsyncGenerator<Delivery[]> {
  for await (const rows of plainList.chunks(db, { isPending: true, participantId: scope }, {}, 100)) {
    yield rows.map((row) => toDelivery(row, scope))
  }
}

/** An endpoint's deliveries created within a period, newest first. */
export const deliveriesOfEndpoint = (
  db: Db,
  endpointId: string,
  { limit, since, until, before }: EndpointDeliveriesQuery,
): Promise<ListedRow[]> =>
  plainList.page(db, { endpointId, since, until }, { order: 'desc', after: before?.toLowerCase(), limit })

const inScope = (isScoped: boolean) => (isScoped ? eq(deliveries.participantId, param('participantId')) : undefined)
const byRequest = prepared((db) =>
  db
    .select(listedColumns)
    .from(deliveries)
    .where(eq(deliveries.requestId, param('requestId')))
    .orderBy(desc(deliveries.id))
    .limit(param('limit')),
)
const failed = variants(
  ({ isScoped }: { isScoped: boolean }) =>
    (db) =>
      db
        .select(listedColumns)
        .from(deliveries)
        .where(and(isNotNull(deliveries.failedAt), inScope(isScoped)))
        .orderBy(desc(deliveries.failedAt), desc(deliveries.id))
        .limit(param('limit')),
)
