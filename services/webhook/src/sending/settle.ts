import type { Claimed, Tx } from '@bursar/store'
import { recordAttempt } from '../deliveries/attempts'
import { type ListedRow, listedRows, storeOutcome } from '../deliveries/deliveries'
import type { WebhookDeps } from '../deps'
import { disableEndpoint, type EndpointRow, findEndpoint } from '../endpoints/endpoints'
import type { Schedule } from '../targets/schedule'
import { findTarget, type Standing, storeStanding, type TargetRow } from '../targets/targets'
import type { Outcome } from './attempt'

/** An attempt on a target, with its endpoint (null for a fallback URL). */
export interface Attempted {
  delivery: ListedRow
  endpoint: EndpointRow | null
  outcome: Outcome
}

/**
 * Stores the outcome of attempts on a target: the attempts, their deliveries and its standing, in one commit. Throws
 * LeaseLostError without writing anything. A delivery that was replayed during its attempt keeps its whole schedule;
 * one that was replayed to another target is left to it. The standing is what it is now: an endpoint that was enabled
 * during an attempt has no failures from before.
 */
export async function settle(deps: WebhookDeps, target: Claimed<TargetRow>, all: readonly Attempted[]): Promise<void> {
  const at = deps.now()
  const results = await deps.store.commit(async (tx) => {
    await deps.queue.assertHeld(tx, [target])
    const ids = all.map(({ delivery }) => delivery.id)
    const current = new Map((await listedRows(tx, ids)).map((row) => [row.id, row]))
    const settled: Result[] = []
    const before: Standing = (await findTarget(tx, target.id)) ?? target
    let standing = before
    for (const { delivery, endpoint, outcome } of all) {
      await recordAttempt(tx, delivery.id, outcome)
      const known = current.get(delivery.id)
      const row =
        known?.targetId === target.id ? settledDelivery(deps.schedule, known, endpoint, outcome, at) : undefined
      if (row) await storeOutcome(tx, row)
      const isDisabled = outcome.httpStatus === 410 && endpoint !== null && (await disable(tx, endpoint, at))
      const wasPaused = isPaused(deps.schedule, standing)
      standing = standingAfter(deps.schedule, standing, outcome, at)
      const isPausedNow = !wasPaused && isPaused(deps.schedule, standing)
      settled.push({ hasFailed: row?.status === 'failed', isDisabled, isPausedNow })
    }
    if (!isSame(before, standing)) await storeStanding(tx, target.id, standing)
    return settled
  })
  for (const [i, attempted] of all.entries()) report(deps, attempted, results[i])
}

/** What came of an attempt. */
interface Result {
  hasFailed: boolean
  /** The endpoint is disabled. */
  isDisabled: boolean
  /** The target was not paused before. */
  isPausedNow: boolean
}

const isPaused = (schedule: Schedule, { failures }: Standing): boolean => schedule.pauseMs(failures) > 0

function report({ log }: WebhookDeps, { delivery, outcome }: Attempted, result?: Result) {
  const { id: deliveryId, requestId, endpointId } = delivery
  const about = { deliveryId, requestId, endpointId, reason: outcome.error }
  if (result?.isDisabled) log.warn(about, 'An endpoint answered 410 and is disabled')
  if (result?.hasFailed) log.error(about, 'A delivery failed permanently')
  if (result?.isPausedNow) log.warn(about, 'A target keeps failing and is paused')
}

/** Not when it has another URL by now: a receiver that was left says nothing of the new one. */
async function disable(tx: Tx, { id, url }: EndpointRow, at: Date): Promise<boolean> {
  const current = await findEndpoint(tx, id)
  if (current?.url !== url) return false
  await disableEndpoint(tx, current, at)
  return true
}

function settledDelivery(
  schedule: Schedule,
  delivery: ListedRow,
  endpoint: EndpointRow | null,
  { error, httpStatus, isFinal, startedAt, retryAfterMs }: Outcome,
  at: Date,
): ListedRow {
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

/** A longer answer is slow. */
const slowMs = 1000

/**
 * A target's standing after an attempt: it is paused after too many failures, or when it asks for a pause (429, 503).
 */
export function standingAfter(
  schedule: Schedule,
  { failures: before }: Standing,
  { error, httpStatus, retryAfterMs, durationMs }: Outcome,
  now: Date,
): Standing {
  if (error === null) return { failures: 0, pausedUntil: null, pace: durationMs > slowMs ? 'slow' : 'quick' }
  const failures = before + 1
  const askedMs = httpStatus === 429 || httpStatus === 503 ? (retryAfterMs ?? 0) : 0
  const pauseMs = Math.max(schedule.pauseMs(failures), askedMs)
  return { failures, pausedUntil: pauseMs > 0 ? new Date(now.getTime() + pauseMs) : null, pace: 'slow' }
}

const isSame = (a: Standing, b: Standing): boolean =>
  a.failures === b.failures && a.pace === b.pace && a.pausedUntil?.getTime() === b.pausedUntil?.getTime()
