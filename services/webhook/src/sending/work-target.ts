import type { Claimed, Tx } from '@bursar/store'
import { findDelivery, type ListedRow, storeOutcome } from '../deliveries/deliveries'
import { failOld, failWaiting, nextMoment, promoteDue, readReady } from '../deliveries/queue'
import type { WebhookDeps } from '../deps'
import { type EndpointRow, findEndpoint } from '../endpoints/endpoints'
import { hasEnded, institutionEnded } from '../institutions/institutions'
import { endOfPause, findTarget, laterOf, removeTarget, type Standing, type TargetRow } from '../targets/targets'
import { attempt } from './attempt'
import { settle, standingAfter } from './settle'
import { createWriteBehind } from './write-behind'

/** Deliveries read at once. */
const batch = 50
/** The maximum turn of one target while others wait. */
const turnMs = 1000
/** The grace period of a running delivery when the service stops. */
const stoppingMs = 2000

/** A target leased by this worker. */
interface Turn {
  /** The last lease. */
  target: Claimed<TargetRow>
  /** When the lease must be extended, by `performance.now()`. */
  renewAtMs: number
  /** Aborted when the service stops: no further delivery is started. */
  stopping: AbortSignal
  /** Aborts the running delivery. */
  broken: AbortSignal
}

/**
 * Works on a target for one turn: sends ready deliveries in the order of their events, one after another. A delivery
 * aborted by the end of the service is unchanged, and is sent again with the same id. Throws LeaseLostError, with
 * nothing written since the lease was lost.
 */
export async function workTarget(deps: WebhookDeps, target: Claimed<TargetRow>, stopping: AbortSignal): Promise<void> {
  const { store, queue, schedule, config, now } = deps
  const grace = graceAfter(stopping)
  const turn = { target, renewAtMs: performance.now() + config.timeoutMs, stopping, broken: grace.signal }
  try {
    if (endOfPause(target, now(), schedule) === null) await takeTurn(deps, turn)
  } catch (error) {
    if (!grace.signal.aborted) throw error
  } finally {
    grace.end()
  }
  await store.commit(async (tx) => {
    const at = now()
    const next = await nextMoment(tx, target.id, at)
    if (next === null && (await whyClosed(tx, target)) === endpointDeleted) {
      await queue.assertHeld(tx, [turn.target])
      return await removeTarget(tx, target.id)
    }
    const pausedUntil = endOfPause((await findTarget(tx, target.id)) ?? target, at, schedule)
    await queue.finish(tx, [turn.target], { dueAt: next && laterOf(next, pausedUntil) })
  })
}

/** Aborts after the grace period. */
function graceAfter(stopping: AbortSignal): { signal: AbortSignal; end(): void } {
  const over = new AbortController()
  let timer: Timer | undefined
  const begin = () => {
    timer = setTimeout(() => over.abort(stopping.reason), stoppingMs)
  }
  if (stopping.aborted) begin()
  else stopping.addEventListener('abort', begin)
  return {
    signal: over.signal,
    end() {
      stopping.removeEventListener('abort', begin)
      clearTimeout(timer)
    },
  }
}

async function takeTurn(deps: WebhookDeps, turn: Turn): Promise<void> {
  const { store, schedule, queue } = deps
  const { target } = turn
  const isOpen = await store.commit(async (tx) => {
    await queue.assertHeld(tx, [target])
    const at = deps.now()
    const closed = await whyClosed(tx, target)
    if (closed) await failWaiting(tx, target.id, closed, at)
    else await promoteDue(tx, target.id, { now: at, longestMs: schedule.longestMs })
    const { failures } = (await findTarget(tx, target.id)) ?? target
    const isDead = schedule.pauseMs(failures) > 0
    if (isDead) await failOld(tx, target.id, { now: at, giveUpMs: schedule.giveUpMs })
    return closed === null
  })
  if (isOpen) await sendReady(deps, turn)
}

const endpointDeleted = 'endpoint deleted'

/** Why the target is closed; null when it is open. */
async function whyClosed(tx: Tx, { endpointId }: TargetRow): Promise<string | null> {
  if (endpointId === null) return null
  const endpoint = await findEndpoint(tx, endpointId)
  if (!endpoint) return endpointDeleted
  if (await hasEnded(tx, endpoint.participantId)) return institutionEnded
  return endpoint.status === 'disabled' ? 'endpoint disabled' : null
}

/**
 * A failure is stored before the next delivery is sent, because it decides what follows; successes are stored in
 * batches.
 */
async function sendReady(deps: WebhookDeps, turn: Turn): Promise<void> {
  const { store, schedule, now } = deps
  const untilMs = performance.now() + turnMs
  const outcomes = createWriteBehind((all) => settle(deps, turn.target, all))
  let standing: Standing = turn.target
  try {
    for (const waiting of await readReady(store.read, turn.target.id, batch)) {
      if (performance.now() >= turn.renewAtMs) {
        await outcomes.flush()
        await extendLease(deps, turn)
      }
      const endpoint = await openEndpoint(deps, turn.target)
      if (endpoint === 'closed') break
      if (await hasEnded(store.read, waiting.participantId)) {
        await endDelivery(deps, turn, waiting)
        continue
      }
      // One at a time: of many targets at once each may have many megabytes to send.
      const delivery = await findDelivery(store.read, waiting.id)
      if (!delivery) continue
      const outcome = await attempt(deps, delivery, endpoint, turn.broken)
      standing = standingAfter(schedule, standing, outcome, now())
      outcomes.add({ delivery: waiting, endpoint, outcome })
      if (outcome.error !== null) await outcomes.flush()
      if (standing.pausedUntil !== null || performance.now() > untilMs || turn.stopping.aborted) break
    }
  } finally {
    await outcomes.flush()
  }
}

/** Extends the lease so that it outlasts another attempt. */
async function extendLease({ store, queue, config, now }: WebhookDeps, turn: Turn): Promise<void> {
  const renewAtMs = performance.now() + config.timeoutMs
  const [extended] = await store.commit((tx) => queue.extend(tx, [turn.target], now()))
  turn.target = extended ?? turn.target
  turn.renewAtMs = renewAtMs
}

async function endDelivery({ store, queue, now }: WebhookDeps, { target }: Turn, delivery: ListedRow): Promise<void> {
  const at = now()
  await store.commit(async (tx) => {
    await queue.assertHeld(tx, [target])
    await storeOutcome(tx, { ...delivery, status: 'failed', lastError: institutionEnded, failedAt: at, updatedAt: at })
  })
}

/** The current endpoint; null for a fallback URL. */
async function openEndpoint({ store }: WebhookDeps, { endpointId }: TargetRow): Promise<EndpointRow | null | 'closed'> {
  if (endpointId === null) return null
  const endpoint = await findEndpoint(store.read, endpointId)
  return endpoint?.status === 'active' ? endpoint : 'closed'
}
