import type { Log } from '@bursar/contracts/log'
import type { OpenStore } from '../engine/open-store'
import type { OutboxEvent } from '../engine/writers'
import type { Tx } from '../statements/statements'
import { createDeliveries } from './deliveries'
import { startBeating } from './instances'
import { newestStates } from './newest-states'
import { type OutboxRow, outboxCursor } from './outbox-cursor'
import { createOutboxSweep } from './outbox-sweep'
import { relayLoop } from './relay-loop'
import { defaultTuning, type Publish, type RelayTuning } from './relay-tuning'

/** Carries committed events from the outbox to the broker. */
export interface Relay {
  /**
   * Publishes an event of `emitAwaited`, past those that wait, and resolves when the broker has it. When the broker
   * refuses it or takes 2 s, the event is deleted and `undo` run, in one commit, before this rejects with
   * NotDeliveredError: it is never published then, save that a broker that answered too late may have it. When that
   * commit fails the event stands, and is published later.
   */
  deliver(event: OutboxEvent, undo?: (tx: Tx) => Promise<void>): Promise<void>
  /** Events that are committed but not published. */
  depth(): number
  /** Events that the broker has taken since the start; not those that `deliver` handed over. */
  published(): number
  /** Why the broker refused the last attempt to publish; null when it took them. */
  problem(): string | null
  /** True when everything committed so far is published within the time. */
  flush(timeoutMs: number): Promise<boolean>
  /** Ends it: no more publishing, no timers. Unpublished events stay in the outbox. Closing the store does this too. */
  stop(): Promise<void>
}

export interface RelayOptions {
  publish: Publish
  /**
   * The connection to the broker, which calls back each time it breaks, and each time it is ready again. What a broker
   * took shortly before it was lost may be gone: published events stay in the outbox until the connection has held for
   * `keepMs` since, and after each reconnect all that the outbox still holds is sent again. Needed for every broker that
   * may lose what it took.
   */
  connection?: { onLost(changed: () => void): void; onReconnect(changed: () => void): void }
  log: Log
  /** For tests; the defaults are right elsewhere. */
  tuning?: Partial<RelayTuning>
}

/** Starts publishing a store's events, first what its outbox holds. In order, and never two publishes at once. */
export function startRelay(store: OpenStore, { publish, connection, log, tuning }: RelayOptions): Relay {
  const pace = { ...defaultTuning, ...tuning }
  const failed = (error: unknown) => log.warn({ err: error }, 'Published events could not be deleted from the outbox')
  const sweep = createOutboxSweep({ store, failed, ...pace })
  const cursor = outboxCursor(store, sweep.has)
  let published = 0
  const publishNewest = async (rows: readonly OutboxRow[]) => {
    const events = newestStates(rows)
    await publish(events)
    published += events.length
  }
  const loop = relayLoop({ cursor, sweep, publish: publishNewest, log, ...pace })
  const release = ({ seq }: OutboxEvent) => {
    cursor.settle(seq, 'unpublished')
    loop.wake()
  }
  const deliver = createDeliveries({ store, cursor, sweep, publish, release, log, ...pace })
  const unsubscribe = store.onEvents((events) => {
    cursor.announce(events)
    loop.wake()
  })
  connection?.onLost(sweep.forget)
  const publishAnew = () => {
    cursor.rewind()
    loop.hurry()
    loop.wake()
  }
  connection?.onReconnect(() => {
    sweep.forget()
    publishAnew()
  })
  const isEmpty = () => cursor.isEmpty() && cursor.depth() === 0 && sweep.isEmpty()
  const beating = startBeating({ store, isEmpty, found: publishAnew })

  async function stop() {
    unsubscribe()
    sweep.stop()
    await loop.stop()
    await beating.stop()
  }
  store.onClose(() => void stop())
  loop.wake()

  return {
    stop,
    deliver,
    depth: cursor.depth,
    published: () => published,
    problem: loop.problem,
    async flush(timeoutMs) {
      if (!cursor.isEmpty()) await loop.emptied(timeoutMs)
      return cursor.isEmpty()
    },
  }
}
