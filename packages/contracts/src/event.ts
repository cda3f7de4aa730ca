import type { Static, TSchema } from '@sinclair/typebox'
import type { LogEntry } from './log-entry'
import type { ServiceName } from './services'

/** The shape of every event, in the outbox, on the queue and at the consumer. */
export interface Envelope<D = unknown> {
  /** UUID v7; also the job's id, so that a repeat is recognised. */
  id: string
  /** The catalogue's name, `service.noun.past`. */
  name: string
  /** What the specification calls it (`VALUATION_PROCESSED`), else the name again. */
  type: string
  /** When it happened, ISO 8601 UTC. */
  timestamp: string
  /** The request that caused it; null without one. */
  requestId: string | null
  /** The service that published it. */
  service: string
  /** Its place in a trace (W3C Trace Context); only where traces are recorded. */
  traceparent?: string
  data: D
}

/** An event as it is stored and published: the envelope's JSON text, and the fields that route it. */
export interface EventText {
  id: string
  name: string
  text: string
}

export const eventText = (envelope: Envelope): EventText => ({
  id: envelope.id,
  name: envelope.name,
  text: JSON.stringify(envelope),
})

/** The wording of an event in the log tracker; `timestamp` if it is not the event's own. */
export type LogWording = Pick<LogEntry, 'event_type' | 'status' | 'metadata'> & { timestamp?: string }

/**
 * How long after an event was put on a queue it may be acted on: older dead letters are not retried. Consumers keep
 * receipts for longer.
 */
export const retriableMs = 30 * 24 * 60 * 60 * 1000

export interface EventType<S extends TSchema = TSchema> {
  readonly name: string
  readonly type: string
  readonly payload: S
  readonly consumers: readonly ServiceName[]
  /** The log tracker's line of an event that it consumes, or several in order. */
  readonly log?: (data: Static<S>) => LogWording | readonly LogWording[]
  /**
   * Present on events that carry the state of a record, which makes older states needless: the record's id. Of several
   * published together, only the newest goes out.
   */
  readonly stateOf?: (data: Static<S>) => string
}

/** All events by name. Filled as the contracts are imported. */
export const eventCatalogue = new Map<string, EventType>()

/**
 * Declares an event: its name, the schema of its data and its consumers. Each service in `consumers` gets it on its own
 * queue. Throws when the name is taken.
 */
export function event<S extends TSchema>(
  name: string,
  payload: S,
  options: {
    consumers: readonly ServiceName[]
    type?: string
    log?: EventType<S>['log']
    stateOf?: EventType<S>['stateOf']
  },
): EventType<S> {
  if (eventCatalogue.has(name)) throw new Error(`The event ${name} is declared twice`)
  const declared: EventType<S> = { name, type: options.type ?? name, payload, ...options }
  // The catalogue drops the payload's type; its readers validate by the schema.
  eventCatalogue.set(name, declared as unknown as EventType)
  return declared
}
