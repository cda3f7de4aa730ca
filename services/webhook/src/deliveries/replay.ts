import { and, asc, eq, gt, gte, param, prepared, sql, type Tx, variants } from '@bursar/store'
import { findEndpoint } from '../endpoints/endpoints'
import { hasEnded } from '../institutions/institutions'
import { type Waking, wakeTarget } from '../targets/targets'
import {
  createDelivery,
  type Destination,
  findDelivery,
  type ListedRow,
  listedColumns,
  storeOutcome,
} from './deliveries'
import { deliveries } from './deliveries.table'
import { destinationOf, endpointsOf } from './fan-out'

/**
 * Sends a delivery again, at once and with its whole schedule; one that is pending is sent at once. When its endpoint
 * is deleted, or never existed, it goes to the endpoints that subscribe to its type now; additional ones get their own
 * deliveries. Returns null when there is none, its endpoint is disabled, or its institution was offboarded or deleted.
 */
export async function replay(tx: Tx, row: ListedRow, maxRetries: number, waking: Waking): Promise<ListedRow | null> {
  const [to, ...others] = await destinationsOf(tx, row)
  if (!to) return null
  const whole = others.length > 0 ? await findDelivery(tx, row.id) : undefined
  if (whole) for (const other of others) await createDelivery(tx, { ...whole, maxRetries }, other, waking)
  const replayed: ListedRow = {
    ...row,
    ...to,
    status: 'pending_retry',
    attemptCount: 0,
    maxRetries,
    successAt: null,
    failedAt: null,
    dueAt: null,
    updatedAt: waking.now,
  }
  await storeOutcome(tx, replayed)
  await wakeTarget(tx, { id: to.targetId, endpointId: to.endpointId }, waking)
  return replayed
}

async function destinationsOf(tx: Tx, row: ListedRow): Promise<Destination[]> {
  const { targetId, endpointId, url } = row
  if (await hasEnded(tx, row.participantId)) return []
  const endpoint = endpointId === null ? undefined : await findEndpoint(tx, endpointId)
  if (endpoint) return endpoint.status === 'active' ? [destinationOf(endpoint)] : []
  if (endpointId === null && targetId !== null) return [{ targetId, endpointId, url }]
  const siblings = await ofEvent(tx).execute({ eventId: row.eventId })
  const served = new Set(siblings.map((each) => each.endpointId))
  const endpoints = await endpointsOf(tx, row)
  return endpoints.filter(({ id, status }) => status === 'active' && !served.has(id)).map(destinationOf)
}

/** Deliveries that one commit replays. */
const chunk = 200

/**
 * Replays some of what failed at a time or later, the oldest first; what nobody takes stays failed. `after` is where the
 * next go on, null when there are no more.
 */
export async function replaySome(
  tx: Tx,
  filter: FailedFilter,
  after: string,
  { maxRetries, ...waking }: Waking & { maxRetries: number },
): Promise<{ count: number; after: string | null }> {
  const { endpointId, participantId } = filter
  const failed = failedAfter({ hasEndpoint: endpointId !== undefined, hasParticipant: participantId !== undefined })(tx)
  const rows = await failed.execute({ ...filter, after, limit: chunk })
  let count = 0
  for (const row of rows) if (await replay(tx, row, maxRetries, waking)) count += 1
  return { count, after: rows.length < chunk ? null : (rows.at(-1)?.id ?? null) }
}

export interface FailedFilter {
  since: Date
  endpointId: string | undefined
  participantId: string | undefined
}

const ofEvent = prepared((db) =>
  db
    .select({ endpointId: deliveries.endpointId })
    .from(deliveries)
    .where(eq(deliveries.eventId, param('eventId'))),
)
/** Deliveries that failed at `since` or later, oldest first, after the id. */
const failedAfter = variants(
  ({ hasEndpoint, hasParticipant }: { hasEndpoint: boolean; hasParticipant: boolean }) =>
    (db) =>
      db
        .select(listedColumns)
        .from(deliveries)
        .where(
          and(
            // This must equal the condition of the index of failed deliveries.
            sql`${deliveries.status} = 'failed'`,
            gt(deliveries.id, param('after')),
            gte(deliveries.failedAt, param('since')),
            hasEndpoint ? eq(deliveries.endpointId, param('endpointId')) : undefined,
            hasParticipant ? eq(deliveries.participantId, param('participantId')) : undefined,
          ),
        )
        .orderBy(asc(deliveries.id))
        .limit(param('limit')),
)
