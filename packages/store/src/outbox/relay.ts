import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { OpenStore } from '../engine/open-store'
import { createOutboxSweep } from './outbox-sweep'
import { createBacklog, forgetPublished, hasEvents, pushEvents, rewindBacklog, withdrawEvent } from './relay-backlog'
import { type RelayClock, realClock } from './relay-clock'
import { relayLoop } from './relay-loop'
import { createWaiters } from './relay-waiters'

/** Carries committed events from the outbox to the broker. */
export interface Relay {
  /**
   * Resolves when the event has been published. Rejects with NotDeliveredError as soon as the broker refuses it (also
   * when it refuses events before it, for they go out in order), after `timeoutMs`, or when the relay stops. The event
   * stays in the outbox then, and is retried.
   */
  delivered(eventId: string, timeoutMs: number): Promise<void>
  /**
   * Drops an event that waits to be published, for a caller who takes back what it announced and also calls `unemit` in
   * a commit. False when it has been sent, or is being sent right now.
   */
  withdraw(eventId: string): boolean
  /** Events that are committed but not published. */
  depth(): number
  /** Why the broker refused the last attempt to publish; null when it took them. */
  problem(): string | null
  /** True when everything committed so far is published within the time. */
  flush(timeoutMs: number): Promise<boolean>
  /** Ends it: no more publishing, no timers. Unpublished events stay in the outbox. Closing the store does this too. */
  stop(): Promise<void>
}

/** The connection to the broker, as the relay has to know it. */
export interface BrokerConnection {
  /** Calls back each time the connection breaks. */
  onLost(changed: () => void): void
  /** Calls back each time it is ready again. */
  onReconnect(changed: () => void): void
}

export interface RelayOptions {
  /** Takes a batch in order; rejects when the broker did not take all of it. Must not hang. */
  publish: (events: Envelope[]) => Promise<void>
  /**
   * What a broker took shortly before it was lost may be gone. Published events stay in the outbox until the connection
   * has held for `keepMs` since, and after each reconnect all that the outbox still holds is sent again. Needed for every
   * broker that may lose what it took.
   */
  connection?: BrokerConnection
  log: Log
  /** For tests; the defaults are right elsewhere. */
  tuning?: Partial<RelayTuning>
}

export interface RelayTuning {
  /** Most events in one publish. */
  batch: number
  /** Most events kept in memory; beyond that they are read from the outbox. */
  memory: number
  /** The least time between two publishes that no caller waits for and that fill no batch. */
  spacingMs: number
  /** The pause after a first refusal; it doubles with each up to the longest. */
  retryMs: number
  longestRetryMs: number
  /** How long published events stay in the outbox, to be sent again if the broker loses them. */
  keepMs: number
  clock: RelayClock
}

const defaults: RelayTuning = {
  batch: 500,
  memory: 10_000,
  spacingMs: 20,
  retryMs: 100,
  longestRetryMs: 2000,
  keepMs: 10_000,
  clock: realClock,
}

/** Starts publishing a store's events, first what its outbox holds. In order, and never two publishes at once. */
export function startRelay(store: OpenStore, { publish, connection, log, tuning }: RelayOptions): Relay {
  const { memory, keepMs, ...pace } = { ...defaults, ...tuning }
  const { batch, clock } = pace
  const backlog = createBacklog(store, memory, batch)
  const waiters = createWaiters()
  const failed = (error: unknown) => log.warn({ err: error }, 'Published events could not be deleted from the outbox')
  const sweep = createOutboxSweep({ store, backlog, clock, keepMs, failed })
  const loop = relayLoop({ backlog, waiters, sweep, publish, log, ...pace })
  const unsubscribe = store.onEvents((events) => {
    pushEvents(backlog, events)
    loop.wake()
  })
  connection?.onLost(() => forgetPublished(backlog))
  connection?.onReconnect(() => {
    rewindBacklog(backlog)
    loop.hurry()
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

  const isPublished = () => !hasEvents(backlog) && backlog.inFlight.length === 0
  return {
    stop,
    depth: () => backlog.depth,
    problem: loop.problem,
    withdraw: (eventId) => withdrawEvent(backlog, eventId),
    delivered(eventId, timeoutMs) {
      if (backlog.published.has(eventId)) return Promise.resolve()
      const delivery = waiters.wait(eventId, timeoutMs)
      loop.hurry()
      return delivery
    },
    async flush(timeoutMs) {
      if (!isPublished()) await loop.emptied(timeoutMs)
      return isPublished()
    },
  }
}
