import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { OpenStore } from './open-store'
import { createOutboxSweep } from './outbox-sweep'
import { createBacklog, pushEvents, rewindBacklog, withdrawEvent } from './relay-backlog'
import { type RelayLoop, relayLoop } from './relay-loop'
import { createWaiters } from './relay-waiters'

/** Carries committed events from the outbox to the broker. */
export interface Relay {
  /**
   * Resolves when the event has been published. Rejects with NotDeliveredError as soon as the broker refuses it (also
   * when it refuses events before it, for they go out in order), after `timeoutMs`, or when the relay stops. The event
   * stays in the outbox then, and is tried again.
   */
  delivered(eventId: string, timeoutMs: number): Promise<void>
  /**
   * Drops an event that waits to be published, for a caller who takes back what it announced and also calls `unemit` in
   * a commit. False when it has been sent, or is being sent right now.
   */
  withdraw(eventId: string): boolean
  /** Events that are committed but not published. */
  depth(): number
  /** The broker came back and may have lost what it took last: sends again whatever the outbox still holds. */
  resend(): void
  /** True when everything committed so far was published within the time. */
  flush(timeoutMs: number): Promise<boolean>
  /** Ends it: no more publishing, no timers. Unpublished events stay in the outbox. Closing the store does this too. */
  stop(): Promise<void>
}

export interface RelayOptions {
  /** Takes a batch in order; rejects when the broker did not take all of it. Must not hang. */
  publish: (events: Envelope[]) => Promise<void>
  log: Log
  /** For tests; the defaults are right elsewhere. */
  tuning?: Partial<RelayTuning>
}

export interface RelayTuning {
  /** Most events in one publish. */
  batch: number
  /** Most events kept in memory; beyond that they are read from the outbox. */
  memory: number
  /** The pause after a first refusal; it doubles with each up to the longest. */
  retryMs: number
  longestRetryMs: number
  /** How long published events stay in the outbox, to be sent again if the broker loses them. */
  keepMs: number
}

const defaults: RelayTuning = { batch: 500, memory: 10_000, retryMs: 100, longestRetryMs: 2000, keepMs: 10_000 }

/** Starts publishing a store's events, first what its outbox holds. In order, and never two publishes at once. */
export function startRelay(store: OpenStore, { publish, log, tuning }: RelayOptions): Relay {
  const { batch, memory, keepMs, ...retry } = { ...defaults, ...tuning }
  const backlog = createBacklog(store, memory, batch)
  const waiters = createWaiters()
  const sweep = createOutboxSweep(store, keepMs, batch, (error) =>
    log.warn({ err: error }, 'Published events could not be deleted from the outbox'),
  )
  const loop = relayLoop({ backlog, waiters, sweep, publish, log, batch, ...retry })
  const unsubscribe = store.onEvents((events) => {
    pushEvents(backlog, events)
    loop.wake()
  })

  function stop() {
    unsubscribe()
    sweep.stop()
    waiters.stop()
    return loop.stop()
  }
  store.onClose(() => void stop())
  loop.wake()

  return {
    stop,
    depth: () => backlog.depth,
    withdraw: (eventId) => withdrawEvent(backlog, eventId),
    delivered(eventId, timeoutMs) {
      const delivery = waiters.wait(eventId, timeoutMs)
      // Someone wants to know now: no use in sitting out a pause.
      loop.hurry()
      return delivery
    },
    resend() {
      rewindBacklog(backlog)
      sweep.reset()
      loop.hurry()
      loop.wake()
    },
    async flush(timeoutMs) {
      await backlog.counted
      loop.hurry()
      if (backlog.depth > 0) await nextEmpty(loop, timeoutMs)
      return backlog.depth === 0
    },
  }
}

/** Resolves when the backlog is empty, the loop stops, or the time is up. */
function nextEmpty(loop: RelayLoop, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      forget()
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    const forget = loop.onEmpty(done)
  })
}
