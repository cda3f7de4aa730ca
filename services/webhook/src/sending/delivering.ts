import { again, type Worker } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { leaseMsOf } from './lease'
import { dueTargets } from './targets'
import { workTarget } from './work-target'

/** Sends deliveries. */
export interface DeliveringWorker extends Worker {
  /** Looks for what is due now. */
  runNow(): Promise<void>
}

const pollMs = 1000
/** How long deliveries that are under way may take when the service stops. */
const stoppingMs = 2000

/**
 * At most `config.concurrency` targets are worked on at once, and at most half of these places are given to slow ones:
 * those that hang leave room for those that answer.
 */
export function startDelivering(
  deps: WebhookDeps,
  { by = crypto.randomUUID() }: { by?: string } = {},
): DeliveringWorker {
  const { store, config, schedule, log, now } = deps
  const running = new Map<string, { slow: boolean; done: Promise<void> }>()
  const broken = new AbortController()
  let stopped = false

  const loop = again(pollMs, look, { log, name: 'The look for due deliveries', firstMs: 0 })
  deps.wakes.on(() => void loop.wake())

  async function look() {
    for (const slow of [false, true]) {
      const taken = [...running.values()]
      const free = config.concurrency - taken.length
      const share = Math.floor(config.concurrency / 2) - taken.filter((each) => each.slow).length
      const room = slow ? Math.min(free, share) : free
      if (room <= 0) continue
      const limit = room + taken.length
      const limits = { leaseMs: leaseMsOf(deps), longestMs: schedule.longestMs }
      const due = await dueTargets(store.read, { slow, now: now(), limit, ...limits })
      for (const id of due.filter((each) => !running.has(each)).slice(0, room)) begin(id, slow)
    }
  }

  function begin(id: string, slow: boolean) {
    if (stopped) return
    const done = workTarget(deps, id, by, broken.signal).then(
      () => {
        running.delete(id)
        if (!stopped) void loop.wake()
      },
      (err) => {
        // The next look finds it: not at once, for a full disk would keep it busy.
        running.delete(id)
        log.error({ err, endpointId: endpointIdOf(id) }, 'Deliveries to a target failed; they are repeated')
      },
    )
    running.set(id, { slow, done })
  }

  return {
    runNow: () => loop.wake(),
    idle: () => running.size === 0 && (loop.idle?.() ?? true),
    async stop() {
      stopped = true
      const timer = setTimeout(() => broken.abort(new Error('The service stops')), stoppingMs)
      await loop.stop()
      await Promise.all([...running.values()].map(({ done }) => done))
      clearTimeout(timer)
    },
  }
}

/** For the log: a fallback URL may hold a key. */
const endpointIdOf = (targetId: string): string | null => (targetId.startsWith('url:') ? null : targetId)
