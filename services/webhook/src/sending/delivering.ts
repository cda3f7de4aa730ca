import { type Claimed, type Store, type WorkLoop, workOn } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import type { TargetRow } from '../targets/targets'
import type { Pace } from '../targets/targets.table'
import { workTarget } from './work-target'

type Target = Claimed<TargetRow>

/**
 * Sends due deliveries, to at most `config.concurrency` targets at once. Slow ones get half of the places: targets that
 * hang leave room for responsive ones.
 */
export function startDelivering(deps: WebhookDeps): WorkLoop {
  const { store, queue, config, log, now } = deps
  const underWay = { quick: 0, slow: 0 }
  /** Leased in one commit; a handler for each starts in the same pass. */
  let claimed: Target[] = []

  async function claim(from: Store, how: { now: Date }): Promise<Target[]> {
    if (claimed.length === 0) claimed = await claimAs('quick', config.concurrency, from, how)
    if (claimed.length === 0) claimed = await claimAs('slow', Math.floor(config.concurrency / 2), from, how)
    return claimed.splice(0, 1)
  }

  async function claimAs(lane: Pace, places: number, from: Store, how: { now: Date }): Promise<Target[]> {
    const free = config.concurrency - underWay.quick - underWay.slow
    const limit = Math.min(free, places - underWay[lane])
    return limit > 0 ? await queue.claim(from, { ...how, lane, limit }) : []
  }

  async function handle([target]: readonly Target[], signal: AbortSignal): Promise<void> {
    if (!target) return
    underWay[target.pace] += 1
    try {
      await workTarget(deps, target, signal)
    } finally {
      underWay[target.pace] -= 1
    }
  }

  /** Reschedules at once what was claimed but not started. */
  async function giveBack() {
    if (claimed.length > 0) await store.commit((tx) => queue.finish(tx, claimed, { dueAt: now() }))
  }

  const loop = workOn(
    { ...queue, claim },
    { store, now, log, name: 'Sending deliveries', handle, places: config.concurrency, batch: 1, lookMs: 1000 },
  )
  deps.wakes.on(() => void loop.wake())
  return {
    ...loop,
    async stop() {
      await loop.stop()
      await giveBack().catch((err) =>
        log.warn({ err }, 'Targets could not be released and wait until their leases expire'),
      )
    },
  }
}
