import {
  and,
  count,
  type Db,
  desc,
  eq,
  gte,
  idFloor,
  inArray,
  max,
  param,
  queryAmong,
  rowsOf,
  sql,
} from '@bursar/store'
import { endpoints } from '../endpoints/endpoints.table'
import { targets } from '../targets/targets.table'
import { listedRows } from './deliveries'
import { type DeliveryStatus, deliveries } from './deliveries.table'
import type { EndpointFigures } from './endpoint-figures.model'

/** The maximum number of deliveries considered, of each endpoint. */
const most = 1000

/** The figures of these endpoints since a time, from the newest deliveries of each. */
export async function figuresOf(db: Db, ids: readonly string[], since: Date): Promise<EndpointFigures[]> {
  if (ids.length === 0) return []
  const counted = await countedOf(db, ids, { since: idFloor(since) })
  const failureIds = counted.flatMap(({ failureId }) => failureId ?? [])
  const [failures, standings] = await Promise.all([listedRows(db, failureIds), targetRows(db, ids)])
  const sums = new Map(counted.map((each) => [each.endpointId, each]))
  const errors = new Map(failures.map(({ id, lastError }) => [id, lastError]))
  const targetOf = new Map(standings.map((target) => [target.id, target]))
  return ids.map((endpointId) => {
    const { failureId, ...found } = sums.get(endpointId) ?? none
    return {
      ...found,
      endpointId,
      since: since.toISOString(),
      isPartial: found.deliveries === most,
      lastSuccessAt: found.lastSuccessAt?.toISOString() ?? null,
      lastAttemptAt: found.lastAttemptAt?.toISOString() ?? null,
      lastError: errors.get(failureId ?? '') ?? null,
      failuresInRow: targetOf.get(endpointId)?.failures ?? 0,
      pausedUntil: targetOf.get(endpointId)?.pausedUntil?.toISOString() ?? null,
    }
  })
}

const never = { lastSuccessAt: null, lastAttemptAt: null, failureId: null }
/** The sums of an endpoint without deliveries. */
const none = { deliveries: 0, delivered: 0, failed: 0, pending: 0, ...never }

const targetRows = rowsOf(targets, 'id')

const inStatus = (status: DeliveryStatus) => count(sql`case when ${deliveries.status} = ${status} then 1 end`)

/** The id of an endpoint's oldest delivery that counts, or the beginning of the time where there are fewer. */
const oldestCounted = (db: Db) => {
  const newest = db.select({ id: deliveries.id, endpointId: deliveries.endpointId }).from(deliveries).as('newest')
  const last = db
    .select({ id: newest.id })
    .from(newest)
    .where(and(eq(newest.endpointId, endpoints.id), gte(newest.id, param('since'))))
    .orderBy(desc(newest.id))
    .limit(1)
    .offset(most - 1)
  return sql`coalesce((${last}), ${param('since')})`
}

const countedOf = queryAmong(
  (ids) => (db) =>
    db
      .select({
        endpointId: endpoints.id,
        deliveries: count(),
        delivered: inStatus('delivered'),
        failed: inStatus('failed'),
        pending: inStatus('pending_retry'),
        lastSuccessAt: max(deliveries.successAt),
        lastAttemptAt: max(deliveries.lastAttemptAt),
        failureId: max(sql<string | null>`case when ${deliveries.lastError} is not null then ${deliveries.id} end`),
      })
      .from(endpoints)
      .innerJoin(deliveries, and(eq(deliveries.endpointId, endpoints.id), gte(deliveries.id, oldestCounted(db))))
      .where(inArray(endpoints.id, ids))
      .groupBy(endpoints.id),
)
