import { eventText } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import { NotDeliveredError } from '../engine/errors'
import type { Store } from '../engine/store'
import type { OutboxEvent } from '../engine/writers'
import { outbox } from '../schema'
import { deleteBy } from '../statements/plain'
import type { Tx } from '../statements/statements'
import type { OutboxCursor } from './outbox-cursor'
import type { OutboxSweep } from './outbox-sweep'
import type { Publish, RelayClock } from './relay-tuning'

interface Options {
  store: Store
  cursor: OutboxCursor
  sweep: OutboxSweep
  clock: RelayClock
  publish: Publish
  deliverMs: number
  /** Hands an event to the relay: it could not be taken back, or the broker may have lost it. */
  release: (event: OutboxEvent) => void
  log: Log
}

interface Delivery {
  event: OutboxEvent
  resolve: () => void
  reject: (cause: unknown) => void
}

const deleteRow = deleteBy(outbox, 'seq')

/** Publishes events whose callers wait for it, ahead of the rest of the outbox: the relay's `deliver`. */
export function createDeliveries({ store, cursor, sweep, clock, publish, deliverMs, release, log }: Options) {
  let together: Delivery[] = []

  /**
   * Events delivered in one turn of the event loop, as by the callers of one batch of commits, are published together.
   */
  function handOver(event: OutboxEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      together.push({ event, resolve, reject })
      if (together.length === 1) setImmediate(publishTogether)
    })
  }

  async function publishTogether() {
    const deliveries = together
    together = []
    const events = deliveries.map(({ event }) => event)
    const runs = sweep.runs()
    try {
      await inTime(publish(events.map(({ envelope }) => eventText(envelope))))
    } catch (cause) {
      for (const { reject } of deliveries) reject(cause)
      return
    }
    if (runs === sweep.runs()) {
      for (const { seq } of events) cursor.settle(seq, 'delivered')
      sweep.note(events, runs)
    } else for (const event of events) release(event)
    for (const { resolve } of deliveries) resolve()
  }

  function inTime(published: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = new NotDeliveredError(`The event was not delivered within ${deliverMs} ms`)
      const cancel = clock.after(deliverMs, () => reject(late))
      published.then(resolve, reject).finally(cancel)
    })
  }

  async function takeBack(event: OutboxEvent, undo?: (tx: Tx) => Promise<void>) {
    try {
      await store.commit(async (tx) => {
        await deleteRow(tx).execute({ seq: event.seq })
        await undo?.(tx)
      })
      cursor.settle(event.seq, 'deleted')
    } catch (error) {
      log.error({ err: error, event: event.envelope.name }, 'An event that was not delivered could not be taken back')
      release(event)
    }
  }

  return async (event: OutboxEvent, undo?: (tx: Tx) => Promise<void>): Promise<void> => {
    try {
      await handOver(event)
    } catch (cause) {
      await takeBack(event, undo)
      if (cause instanceof NotDeliveredError) throw cause
      throw new NotDeliveredError('The event could not be published', { cause })
    }
  }
}
