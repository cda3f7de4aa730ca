import { isUuid } from '@bursar/contracts/schema'
import {
  and,
  asc,
  type Db,
  desc,
  eq,
  gt,
  gte,
  idFloor,
  inChunks,
  isNotNull,
  lt,
  lte,
  param,
  prepared,
  variants,
} from '@bursar/store'
import { fail } from '../errors'
import { isIn } from '../scope'
import { type DeliveryRow, toDelivery } from './deliveries'
import type { Delivery, EndpointDeliveriesQuery } from './deliveries.model'
import { type DeliveryStatus, deliveries } from './deliveries.table'

const mostPerRequest = 200
/** Of several deliveries for one request, the one that needs attention is shown. */
const attention: readonly DeliveryStatus[] = ['failed', 'pending_retry', 'delivered']

/** The delivery for a request: of several, one that failed, else one that is pending, else the newest. Fails with 404. */
export async function deliveryOfRequest(db: Db, requestId: string, scope: string | null): Promise<DeliveryRow> {
  const id = isUuid(requestId) ? requestId.toLowerCase() : requestId
  const rows = await byRequest(db).execute({ requestId: id, limit: mostPerRequest })
  const found = rows.filter((row) => isIn(scope, row))
  const rank = ({ status }: DeliveryRow) => attention.indexOf(status)
  const [first] = found.toSorted((a, b) => rank(a) - rank(b))
  if (!first) throw fail('NO_DELIVERY')
  return first
}

/** Deliveries that failed, the latest failure first. */
export const failedDeliveries = (db: Db, scope: string | null, limit: number): Promise<DeliveryRow[]> =>
  failed({ isScoped: scope !== null })(db).execute({ participantId: scope, limit })

/** All deliveries that are pending as they go out, oldest first, a chunk at a time. */
export const readPending = (db: Db, scope: string | null): AsyncGenerator<Delivery[]> =>
  inChunks(
    async ({ after, limit }) => {
      const rows = await pendingAfter({ isScoped: scope !== null })(db).execute({ participantId: scope, after, limit })
      return rows.map(toDelivery)
    },
    { size: 100, start: '', keyOf: ({ deliveryId }) => deliveryId },
  )

/** An endpoint's deliveries that were made within a time, newest first. */
export const deliveriesOfEndpoint = (
  db: Db,
  endpointId: string,
  { limit, since, until, before }: EndpointDeliveriesQuery,
): Promise<DeliveryRow[]> =>
  byEndpoint(db).execute({
    endpointId,
    limit,
    since: since ? idFloor(since) : '',
    // Everything of that millisecond, and nothing of the next.
    until: until ? idFloor(new Date(until.getTime() + 1)) : afterAll,
    before: before?.toLowerCase() ?? afterAll,
  })

/** Behind every id. */
const afterAll = 'g'

const inScope = (isScoped: boolean) => (isScoped ? eq(deliveries.participantId, param('participantId')) : undefined)
const byRequest = prepared((db) =>
  db
    .select()
    .from(deliveries)
    .where(eq(deliveries.requestId, param('requestId')))
    .orderBy(desc(deliveries.id))
    .limit(param('limit')),
)
const failed = variants(
  ({ isScoped }: { isScoped: boolean }) =>
    (db) =>
      db
        .select()
        .from(deliveries)
        .where(and(isNotNull(deliveries.failedAt), inScope(isScoped)))
        .orderBy(desc(deliveries.failedAt), desc(deliveries.id))
        .limit(param('limit')),
)
const pendingAfter = variants(
  ({ isScoped }: { isScoped: boolean }) =>
    (db) =>
      db
        .select()
        .from(deliveries)
        .where(and(eq(deliveries.status, 'pending_retry'), gt(deliveries.id, param('after')), inScope(isScoped)))
        .orderBy(asc(deliveries.id))
        .limit(param('limit')),
)
const byEndpoint = prepared((db) =>
  db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.endpointId, param('endpointId')),
        gte(deliveries.id, param('since')),
        lte(deliveries.id, param('until')),
        lt(deliveries.id, param('before')),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(param('limit')),
)
