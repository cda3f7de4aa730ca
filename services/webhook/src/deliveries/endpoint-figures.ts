import { and, type Db, desc, eq, gte, idFloor, param, prepared } from '@bursar/store'
import type { EndpointRow } from '../endpoints/endpoints'
import { findTarget } from '../targets/targets'
import { deliveries } from './deliveries.table'
import type { EndpointFigures } from './endpoint-figures.model'

/** The maximum number of deliveries considered. */
const most = 1000

/** The figures of an endpoint since a time, from its newest deliveries. */
export async function figuresOf(db: Db, { id }: EndpointRow, since: Date): Promise<EndpointFigures> {
  const rows = await newestOf(db).execute({ endpointId: id, since: idFloor(since), limit: most })
  const target = await findTarget(db, id)
  const count = (status: string) => rows.filter((row) => row.status === status).length
  const last = (pick: (row: (typeof rows)[number]) => Date | null) => latest(rows.map(pick))
  return {
    endpointId: id,
    since: since.toISOString(),
    deliveries: rows.length,
    isPartial: rows.length === most,
    delivered: count('delivered'),
    failed: count('failed'),
    pending: count('pending_retry'),
    lastSuccessAt: last((row) => row.successAt),
    lastAttemptAt: last((row) => row.lastAttemptAt),
    lastError: rows.find((row) => row.lastError !== null)?.lastError ?? null,
    failuresInRow: target?.failures ?? 0,
    pausedUntil: target?.pausedUntil?.toISOString() ?? null,
  }
}

function latest(times: (Date | null)[]): string | null {
  const known = times.filter((time) => time !== null).map(Number)
  return known.length > 0 ? new Date(Math.max(...known)).toISOString() : null
}

const newestOf = prepared((db) =>
  db
    .select({
      status: deliveries.status,
      successAt: deliveries.successAt,
      lastAttemptAt: deliveries.lastAttemptAt,
      lastError: deliveries.lastError,
    })
    .from(deliveries)
    .where(and(eq(deliveries.endpointId, param('endpointId')), gte(deliveries.id, param('since'))))
    .orderBy(desc(deliveries.id))
    .limit(param('limit')),
)
