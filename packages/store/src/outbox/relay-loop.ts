import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { OutboxSweep } from './outbox-sweep'
import { type Backlog, hasEvents, putBackEvents, settleEvents, takeEvents } from './relay-backlog'
import type { RelayClock } from './relay-clock'
import type { Waiters } from './relay-waiters'

/** Publishes what the backlog holds whenever it is woken. */
export interface RelayLoop {
  /** There is something new. */
  wake(): void
  /** Ends the pause that it is in. */
  hurry(): void
  /** Resolves when the backlog is empty or the loop stops, or after `timeoutMs`. Until then it publishes without pauses. */
  emptied(timeoutMs: number): Promise<void>
  /** Why the last publish was refused; null when it was taken. */
  problem(): string | null
  /** Resolves when the publish that is under way is over. */
  stop(): Promise<void>
}

interface Options {
  backlog: Backlog
  waiters: Waiters
  sweep: OutboxSweep
  clock: RelayClock
  publish: (events: Envelope[]) => Promise<void>
  log: Log
  batch: number
  spacingMs: number
  retryMs: number
  longestRetryMs: number
}

export function relayLoop(options: Options): RelayLoop {
  const { backlog, waiters, clock, log, batch, spacingMs, retryMs, longestRetryMs } = options
  const pause = createPause(clock)
  const empty = new Set<() => void>()
  let running: Promise<void> | null = null
  let lastMs = Number.NEGATIVE_INFINITY
  let refusals = 0
  let problem: string | null = null
  let stopped = false

  function wake() {
    if (stopped) return
    // After this turn: what is committed in one turn is published together, and its callers can ask for delivery first.
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(publishAll)
  }

  async function publishAll() {
    while (!stopped && hasEvents(backlog)) {
      await space()
      if (stopped) break
      const outcome = await publishNext(options).then(accepted, refused)
      if (outcome === 'refused' && !stopped && waiters.eventIds().length === 0)
        await pause.wait(Math.min(retryMs * 2 ** (refusals - 1), longestRetryMs))
    }
    running = null
    // Something may have been committed meanwhile.
    if (hasEvents(backlog)) return wake()
    backlog.depth = 0
    for (const resolve of empty) resolve()
  }

  /** A publish costs the same for one event as for twenty: they wait for each other unless a caller waits for them. */
  async function space() {
    const dueMs = lastMs + spacingMs - clock.now()
    const isAwaited = empty.size > 0 || waiters.eventIds().length > 0
    const isBatch = backlog.queue.length >= batch || backlog.unread < Number.POSITIVE_INFINITY
    if (dueMs > 0 && !isAwaited && !isBatch) await pause.wait(dueMs)
  }

  function refused(error: unknown) {
    refusals += 1
    problem = error instanceof Error ? error.message : String(error)
    const fields = { err: error, waiting: backlog.depth }
    if (refusals === 1 && !stopped) log.warn(fields, 'Events could not be published and will be retried')
    return 'refused'
  }

  function accepted(events: number) {
    if (events > 0) lastMs = clock.now()
    if (refusals > 0) log.info({ refusals, waiting: backlog.depth }, 'Events are published again')
    refusals = 0
    problem = null
    return 'accepted'
  }

  function emptied(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        empty.delete(done)
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      empty.add(done)
      pause.cut()
    })
  }

  return {
    wake,
    hurry: pause.cut,
    emptied,
    problem: () => problem,
    async stop() {
      stopped = true
      pause.cut()
      for (const resolve of empty) resolve()
      await running
    },
  }
}

/** One attempt. Gives how many events were published; rejects when they were refused, and they are next again. */
async function publishNext({ backlog, waiters, sweep, clock, publish, batch }: Options): Promise<number> {
  // Events go out in order: when these are refused, those behind them are not published either.
  const awaited = waiters.eventIds()
  let ids: string[] = []
  try {
    const events = await takeEvents(backlog, batch)
    if (events.length === 0) return 0
    const { published } = backlog
    ids = events.map(({ envelope }) => envelope.id)
    await publish(events.map(({ envelope }) => envelope))
    settleEvents(backlog, published, clock.now())
  } catch (error) {
    putBackEvents(backlog)
    waiters.refused([...ids, ...awaited], error)
    throw error
  }
  sweep.arm()
  waiters.published(ids)
  return ids.length
}

/** A pause that can be cut short. */
function createPause(clock: RelayClock) {
  let cut = () => {}
  return {
    cut: () => cut(),
    wait: (pauseMs: number) =>
      new Promise<void>((resolve) => {
        const cancel = clock.after(pauseMs, resolve)
        cut = () => {
          cancel()
          resolve()
        }
      }),
  }
}
