import type { Envelope } from '@bursar/contracts/event'
import type { Db, Tx } from '../statements/statements'
import type { Attempt } from './commit-batch'

/** An event as it stands in the outbox. */
export interface OutboxEvent {
  readonly seq: number
  readonly envelope: Envelope
  /** Its caller delivers it by `relay.deliver`. */
  readonly isAwaited?: boolean
}

interface Writer {
  service: string
  /** The instance of the service, if several share the database. */
  instance: string
  current: () => Attempt<OutboxEvent> | null
  /** The `traceparent` of an event with this data, of this request; null for none. */
  traceparent: (data: unknown, requestId: string | null) => string | null
}

const writers = new WeakMap<Db, Writer>()

/** Links a writing connection to its queue, so that `emit` needs only its `tx`. */
export function rememberWriter(tx: Tx, writer: Writer): void {
  writers.set(tx, writer)
}

/** The queue of this connection; undefined for one that only reads. */
export const writerOf = (tx: Tx): Writer | undefined => writers.get(tx)
