import { foldedId } from '@bursar/contracts/schema'
import { and, type Db, desc, eq, isNotNull, param, prepared, variants } from '@bursar/store'
import { fail } from '../errors'
import { isIn } from '../scope'
import { type ListedRow, listedColumns, toDelivery } from './deliveries'
import type { Delivery, EndpointDeliveriesQuery } from './deliveries.model'
import { type DeliveryStatus, deliveries } from './deliveries.table'
import { deliveryList } from './find-deliveries'

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
        .where(
          and(
            isNotNull(deliveries.failedAt),
            isScoped ? eq(deliveries.participantId, param('participantId')) : undefined,
          ),
        )
        .orderBy(desc(deliveries.failedAt), desc(deliveries.id))
        .limit(param('limit')),
)
