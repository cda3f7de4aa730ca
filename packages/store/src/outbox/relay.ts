import { type Envelope, type EventText, eventCatalogue } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import type { OpenStore } from '../engine/open-store'
import type { OutboxEvent } from '../engine/writers'
import type { Tx } from '../statements/statements'
import { createDeliveries } from './deliveries'
import { startBeating } from './instances'
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
  /** Events that are committed but not published, also those that are not in the catalogue: they wait for a newer release. */
  depth(): number
  /** The number of events that the broker has taken since the start, without those of `deliver`. */
  published(): number
  /**
   * Why the broker refused the last attempt to publish, or which events this release does not know; null if neither.
   */
  problem(): string | null
  /** True when everything committed so far that is in the catalogue is published within the time. */
  flush(timeoutMs: number): Promise<boolean>
  /** Stops publishing and all timers. Unpublished events stay in the outbox. Closing the store does this too. */
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

/**
 * Starts publishing a store's events, first what its outbox holds. In order, and never two publishes at once. Events that
 * are not in the catalogue stay in the outbox: a newer release has emitted them, before a downgrade.
 */
export function startRelay(store: OpenStore, { publish, connection, log, tuning }: RelayOptions): Relay {
  const pace = { ...defaultTuning, ...tuning }
  const failed = (error: unknown) => log.warn({ err: error }, 'Published events could not be deleted from the outbox')
  const sweep = createOutboxSweep({ store, failed, ...pace })
  const unknown = new Set<string>()
  const cursor = outboxCursor(store, { isPublished: sweep.has, isKnown: knownOr(unknown, log) })
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
  const isEmpty = () => cursor.isEmpty() && cursor.depth() === cursor.kept() && sweep.isEmpty()
  const beating = startBeating({ store, isEmpty, kept: cursor.kept, found: publishAnew })

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
    problem: () =>
      loop.problem() ?? (cursor.kept() > 0 ? `Not in the catalogue of events: ${[...unknown].join(', ')}` : null),
    async flush(timeoutMs) {
      if (!cursor.isEmpty()) await loop.emptied(timeoutMs)
      return cursor.isEmpty()
    },
  }
}

/** Whether an event is in the catalogue. Names that are not are added to `unknown`, and logged once each. */
function knownOr(unknown: Set<string>, log: Log): (event: OutboxRow) => boolean {
  return ({ name }) => {
    if (eventCatalogue.has(name)) return true
    if (!unknown.has(name))
      log.warn({ event: name }, 'Events that this release does not know stay in the outbox, for the newer one')
    unknown.add(name)
    return false
  }
}

/** Events in order, without states of a record of which a newer state is among them. */
function newestStates<E extends EventText & { seq: number }>(events: readonly E[]): E[] {
  // The only event of its name has no newer state, and need not be parsed.
  const alike = Map.groupBy(events, ({ name }) => name)
  const records = events.map((event) => ((alike.get(event.name)?.length ?? 0) > 1 ? recordOf(event) : null))
  const newest = new Map<string, number>()
  for (const [i, record] of records.entries()) {
    const { seq } = events[i] as E
    if (record !== null && seq > (newest.get(record) ?? 0)) newest.set(record, seq)
  }
  return events.filter(({ seq }, i) => {
    const record = records[i] as string | null
    return record === null || newest.get(record) === seq
  })
}

/** The record whose state an event carries; null for an event that must go out in any case. */
function recordOf({ name, text }: EventText): string | null {
  const stateOf = eventCatalogue.get(name)?.stateOf
  return stateOf ? `${name} ${stateOf((JSON.parse(text) as Envelope<never>).data)}` : null
}
