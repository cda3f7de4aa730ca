import type { Envelope, EventType } from '@bursar/contracts/event'
import { receive, type Store, type Tx } from '@bursar/store'
import type { Static, TSchema } from '@sinclair/typebox'
import { currentTrace } from '../request/context'
import { atPlace } from '../trace/followed'

/** A service's handler of an event that it consumes. */
export interface Consumer {
  readonly name: string
  handle(envelope: Envelope): Promise<void>
}

/**
 * Declares the handler of an event. `handle` calls `receive(store, envelope, …)`, so that a repeat does nothing; if it
 * rejects, the event comes again later.
 */
export const consumer = <S extends TSchema>(
  event: EventType<S>,
  handle: (envelope: Envelope<Static<S>>) => Promise<void>,
): Consumer => ({ name: event.name, handle: (envelope) => handle(envelope as Envelope<Static<S>>) })

/** A consumer that only writes, in the commit of the event's receipt. */
export const receiving = <S extends TSchema>(
  store: Store,
  event: EventType<S>,
  write: (tx: Tx, data: Static<S>) => Promise<unknown>,
): Consumer =>
  consumer(event, async (envelope) => {
    const trace = currentTrace()
    await receive(store, envelope, async (tx) => {
      const body = () => write(tx, envelope.data)
      // The commit may run in the trace of an event that arrived with this one.
      await (trace ? atPlace(trace, body) : body())
    })
  })
