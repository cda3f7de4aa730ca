import type { Envelope } from '@bursar/contracts/event'
import type { Db, Tx } from '../statements/statements'
import type { Attempt } from './commit-batch'

/** An event as it stands in the outbox. */
export interface OutboxEvent {
  readonly seq: number
  readonly envelope: Envelope
  /** Its caller hands it over by `relay.deliver`. */
  readonly isAwaited?: boolean
}

interface Writer {
  service: string
  /** Of the service, where several share the database. */
  instance: string
  current: () => Attempt<OutboxEvent> | null
  /** The `traceparent` of an event with this data; null for none. */
  traceparent: (data: unknown) => string | null
}

const writers = new WeakMap<Db, Writer>()

/** Ties a writing connection to the queue that drives it, so that `emit` needs nothing but its `tx`. */
export function rememberWriter(tx: Tx, writer: Writer): void {
  writers.set(tx, writer)
}

/** The queue that drives this connection; undefined for one that only reads. */
export const writerOf = (tx: Tx): Writer | undefined => writers.get(tx)
