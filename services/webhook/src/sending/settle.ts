import type { Tx } from '@bursar/store'
import { recordAttempt } from '../deliveries/attempts'
import { type DeliveryRow, storeOutcome } from '../deliveries/deliveries'
import type { WebhookDeps } from '../deps'
import { disableEndpoint } from '../endpoints/endpoint-actions'
import { type EndpointRow, findEndpoint } from '../endpoints/endpoints'
import type { Outcome } from './attempt'
import { assertHeld, type Lease } from './lease'
import type { Schedule } from './schedule'
import { type Standing, storeStanding } from './targets'

interface Attempted {
  lease: Lease
  delivery: DeliveryRow
  endpoint: EndpointRow | null
  outcome: Outcome
  /** The target's, before and after. */
  before: Standing
  after: Standing
}

/** Writes down what came of an attempt: the attempt, the delivery and its target's standing, in one commit. */
export async function settle(deps: WebhookDeps, attempted: Attempted): Promise<void> {
  const { lease, delivery, endpoint, outcome, before, after } = attempted
  const { store, schedule, now, log } = deps
  const at = now()
  const settled = settledDelivery(schedule, delivery, endpoint, outcome, at)
  const isGone = outcome.httpStatus === 410 && endpoint !== null
  await store.commit(async (tx) => {
    await assertHeld(tx, lease)
    await recordAttempt(tx, delivery.id, outcome)
    await storeOutcome(tx, settled)
    if (isGone) await disable(tx, endpoint, at)
    if (!isSame(before, after)) await storeStanding(tx, lease.id, after)
  })
  const about = { deliveryId: delivery.id, requestId: delivery.requestId, endpointId: delivery.endpointId }
  if (isGone) log.warn(about, 'An endpoint answered 410 and is disabled')
  if (settled.status === 'failed') log.error({ ...about, reason: outcome.error }, 'A delivery failed for good')
  if (
    before.failures < after.failures &&
    schedule.pauseMs(before.failures) === 0 &&
    schedule.pauseMs(after.failures) > 0
  ) {
    log.warn({ ...about, reason: outcome.error }, 'A target keeps failing and is paused')
  }
}

async function disable(tx: Tx, { id }: EndpointRow, at: Date): Promise<void> {
  const current = await findEndpoint(tx, id)
  if (current) await disableEndpoint(tx, current, at)
}

function settledDelivery(
  schedule: Schedule,
  delivery: DeliveryRow,
  endpoint: EndpointRow | null,
  { error, httpStatus, isFinal, startedAt, retryAfterMs }: Outcome,
  at: Date,
): DeliveryRow {
  const attemptCount = delivery.attemptCount + 1
  const attempted = {
    ...delivery,
    attemptCount,
    url: endpoint?.url ?? delivery.url,
    lastError: error,
    lastAttemptAt: startedAt,
    httpStatus,
    dueAt: null,
    updatedAt: at,
  }
  if (error === null) return { ...attempted, status: 'delivered', successAt: at }
  if (isFinal || attemptCount > delivery.maxRetries) return { ...attempted, status: 'failed', failedAt: at }
  const delayMs = Math.max(schedule.delayMs(attemptCount), retryAfterMs ?? 0)
  return { ...attempted, dueAt: new Date(at.getTime() + delayMs) }
}

/** An answer that took longer is slow. */
const slowMs = 1000

/** A target's standing after an attempt: it is paused after too many failures, and when it asks for it (429, 503). */
export function standingAfter(
  schedule: Schedule,
  { failures: before }: Standing,
  { error, httpStatus, retryAfterMs, durationMs }: Outcome,
  now: Date,
): Standing {
  if (error === null) return { failures: 0, pausedUntil: null, slow: durationMs > slowMs }
  const failures = before + 1
  const askedMs = httpStatus === 429 || httpStatus === 503 ? (retryAfterMs ?? 0) : 0
  const pauseMs = Math.max(schedule.pauseMs(failures), askedMs)
  return { failures, pausedUntil: pauseMs > 0 ? new Date(now.getTime() + pauseMs) : null, slow: true }
}

const isSame = (a: Standing, b: Standing): boolean =>
  a.failures === b.failures && a.slow === b.slow && a.pausedUntil?.getTime() === b.pausedUntil?.getTime()
