import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { OutboxSweep } from './outbox-sweep'
import { type Backlog, hasEvents, putBackEvents, settleEvents, takeEvents } from './relay-backlog'
import type { Waiters } from './relay-waiters'

/** Publishes what the backlog holds whenever it is woken. */
export interface RelayLoop {
  /** There is something new. */
  wake(): void
  /** Ends the pause after a refusal. */
  hurry(): void
  /** Calls back whenever the backlog is empty. Returns how to stop that. */
  onEmpty(listener: () => void): () => void
  /** Resolves when the publish that is under way is over. */
  stop(): Promise<void>
}

interface Options {
  backlog: Backlog
  waiters: Waiters
  sweep: OutboxSweep
  publish: (events: Envelope[]) => Promise<void>
  log: Log
  batch: number
  retryMs: number
  longestRetryMs: number
}

export function relayLoop(options: Options): RelayLoop {
  const { backlog, waiters, log } = options
  const pause = createPause()
  const emptied = new Set<() => void>()
  let running: Promise<void> | null = null
  let refusals = 0
  let stopped = false

  function wake() {
    if (stopped) return
    // After this turn: what is committed in one turn is published together, and its callers can ask for delivery first.
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(publishAll)
  }

  async function publishAll() {
    while (!stopped) {
      const took = await publishNext(options).catch((error) => refused(error))
      if (took === 0) break
      if (took !== null) accepted()
      // No pause while someone waits for an answer; the next refusal is one.
      else if (!stopped && !waiters.any())
        await pause.wait(Math.min(options.retryMs * 2 ** (refusals - 1), options.longestRetryMs))
    }
    running = null
    // Something may have come between the last look and now.
    if (hasEvents(backlog)) wake()
    if (backlog.depth === 0) for (const tell of emptied) tell()
  }

  function refused(error: unknown): null {
    refusals += 1
    const fields = { err: error, waiting: backlog.depth }
    if (refusals === 1 && !stopped) log.warn(fields, 'Events could not be published; trying again')
    return null
  }

  function accepted() {
    if (refusals > 0) log.info({ refusals, waiting: backlog.depth }, 'Events are published again')
    refusals = 0
  }

  return {
    wake,
    hurry: pause.cut,
    onEmpty(listener) {
      emptied.add(listener)
      return () => emptied.delete(listener)
    },
    async stop() {
      stopped = true
      pause.cut()
      for (const tell of emptied) tell()
      await running
    },
  }
}

/** One attempt. Gives how many events were published; rejects when they were refused, and they are next again. */
async function publishNext({ backlog, waiters, sweep, publish, batch }: Options): Promise<number> {
  waiters.attempt()
  let ids: string[] = []
  try {
    const events = await takeEvents(backlog, batch)
    if (events.length === 0) return 0
    const { rewinds } = backlog
    ids = events.map(({ envelope }) => envelope.id)
    await publish(events.map(({ envelope }) => envelope))
    settleEvents(backlog)
    // After a rewind they are sent again; until that is done they stay.
    if (rewinds === backlog.rewinds) sweep.published(events)
  } catch (error) {
    putBackEvents(backlog)
    waiters.refused(ids, error)
    throw error
  }
  waiters.published(ids)
  return ids.length
}

/** A pause that can be cut short. */
function createPause() {
  let cut = () => {}
  return {
    cut: () => cut(),
    wait: (pauseMs: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs)
        timer.unref()
        cut = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
