import { type DeliveryRow, storeOutcome } from '../deliveries/deliveries'
import { failOld, failWaiting, promoteDue, readReady } from '../deliveries/queue'
import type { WebhookDeps } from '../deps'
import { type EndpointRow, findEndpoint } from '../endpoints/endpoints'
import { hasEnded, institutionEnded } from '../institutions/institutions'
import { attempt } from './attempt'
import { assertHeld, extendLease, giveBack, type Lease, LeaseLostError, takeLease } from './lease'
import { standingAfter } from './settle'
import type { Standing, TargetRow } from './targets'
import { createWriteBehind } from './write-behind'

/** How many deliveries are read at once. */
const batch = 50
/** How long a worker stays with a target while others wait. */
const turnMs = 1000

/**
 * Works on a target for one turn: sends what is ready in the order of its events, one after another. Does nothing when
 * another worker has it. What `signal` breaks off stays as it was, and is sent again with the same id.
 */
export async function workTarget(deps: WebhookDeps, id: string, by: string, signal: AbortSignal): Promise<void> {
  const taken = await takeLease(deps, id, by)
  if (!taken) return
  try {
    await takeTurn(deps, taken.lease, taken.target, signal)
  } catch (error) {
    if (!signal.aborted && !(error instanceof LeaseLostError)) throw error
  } finally {
    await giveBack(deps, taken.lease)
  }
}

async function takeTurn(deps: WebhookDeps, lease: Lease, target: TargetRow, signal: AbortSignal): Promise<void> {
  const { store, schedule } = deps
  const closed = await whyClosed(deps, target)
  await store.commit(async (tx) => {
    const at = deps.now()
    if (closed) await failWaiting(tx, target.id, closed, at)
    else await promoteDue(tx, target.id, { now: at, longestMs: schedule.longestMs })
    const isDead = schedule.pauseMs(target.failures) > 0
    if (isDead) await failOld(tx, target.id, { now: at, giveUpMs: schedule.giveUpMs })
  })
  if (!closed) await sendReady(deps, lease, target, signal)
}

/** Why nothing is sent to the target any more; null when something is. */
async function whyClosed({ store }: WebhookDeps, { endpointId }: TargetRow): Promise<string | null> {
  if (endpointId === null) return null
  const endpoint = await findEndpoint(store.read, endpointId)
  if (!endpoint) return 'endpoint deleted'
  if (await hasEnded(store.read, endpoint.participantId)) return institutionEnded
  return endpoint.status === 'disabled' ? 'endpoint disabled' : null
}

/** A failure is written before the next delivery is sent, since what follows depends on it; successes soon after. */
async function sendReady(deps: WebhookDeps, lease: Lease, target: TargetRow, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + turnMs
  const outcomes = createWriteBehind(deps, lease)
  let standing: Standing = target
  try {
    for (const delivery of await readReady(deps.store.read, lease.id, batch)) {
      await extendLease(deps, lease)
      const endpoint = await openEndpoint(deps, target)
      if (endpoint === 'closed') break
      if (await hasEnded(deps.store.read, delivery.participantId)) {
        // Of an endpoint the next turn ends all that waits; a fallback URL is others’ as well.
        if (endpoint !== null) break
        await endDelivery(deps, lease, delivery)
        continue
      }
      const outcome = await attempt(deps, delivery, endpoint, signal)
      const before = standing
      standing = standingAfter(deps.schedule, before, outcome, deps.now())
      outcomes.add({ delivery, endpoint, outcome, before, after: standing })
      if (outcome.error !== null) await outcomes.flush()
      if (standing.pausedUntil !== null || performance.now() > untilMs || signal.aborted) break
    }
  } finally {
    await outcomes.flush()
  }
}

async function endDelivery({ store, now }: WebhookDeps, lease: Lease, delivery: DeliveryRow): Promise<void> {
  const at = now()
  await store.commit(async (tx) => {
    await assertHeld(tx, lease)
    await storeOutcome(tx, { ...delivery, status: 'failed', lastError: institutionEnded, failedAt: at, updatedAt: at })
  })
}

/** The endpoint as it is now; null for a fallback URL. */
async function openEndpoint({ store }: WebhookDeps, { endpointId }: TargetRow): Promise<EndpointRow | null | 'closed'> {
  if (endpointId === null) return null
  const endpoint = await findEndpoint(store.read, endpointId)
  return endpoint?.status === 'active' ? endpoint : 'closed'
}
