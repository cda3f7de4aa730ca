import { type WorkLoop, workOn } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import type { Pace } from '../targets/targets.table'
import { workTarget } from './work-target'

/**
 * Sends due deliveries, to at most `config.concurrency` targets at once. Slow ones get half of the places: targets that
 * hang leave room for responsive ones.
 */
export function startDelivering(deps: WebhookDeps): WorkLoop {
  const { store, queue, config, log, now } = deps
  const loop = workOn(queue, {
    store,
    now,
    log,
    name: 'The sending of deliveries',
    handle: async ([target], signal) => {
      if (target) await workTarget(deps, target, signal)
    },
    places: config.concurrency,
    lanes: { quick: config.concurrency, slow: Math.floor(config.concurrency / 2) } satisfies Record<Pace, number>,
    batch: 1,
    lookMs: 1000,
  })
  deps.wakes.on(() => void loop.wake())
  return loop
}
