import type { Static, TSchema } from '@sinclair/typebox'
import type { LogEntry } from './log-entry'
import type { ServiceName } from './services'

/** What travels: the same shape for every event, in the outbox, on the queue and at the consumer. */
export interface Envelope<D = unknown> {
  /** UUID v7; also the job's id, so that a repeat is recognised. */
  id: string
  /** The catalogue's name, `service.noun.past`. */
  name: string
  /** What the specification calls it (`VALUATION_PROCESSED`), else the name again. */
  type: string
  /** When it happened, ISO 8601 UTC. */
  timestamp: string
  /** The request that caused it; null when none did. */
  requestId: string | null
  /** The service that says so. */
  service: string
  data: D
}

/** An event as it is stored and published: the envelope's JSON text, and what of it says where that goes. */
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

/** How an event reads in the log tracker; with a `timestamp` where that is not the event's own. */
export type LogWording = Pick<LogEntry, 'event_type' | 'status' | 'metadata'> & { timestamp?: string }

export interface EventType<S extends TSchema = TSchema> {
  readonly name: string
  readonly type: string
  readonly payload: S
  readonly consumers: readonly ServiceName[]
  /** Present on events that the log tracker hears and words itself: one line each, or several in their order. */
  readonly log?: (data: Static<S>) => LogWording | readonly LogWording[]
}

/** Every event there is, by name. Filled as the contracts are imported. */
export const eventCatalogue = new Map<string, EventType>()

/**
 * Declares an event: its name, the schema of its data and who hears it. A service that is named in `consumers` gets
 * every such event on its own queue. Throws when the name is taken.
 */
export function event<S extends TSchema>(
  name: string,
  payload: S,
  options: { consumers: readonly ServiceName[]; type?: string; log?: EventType<S>['log'] },
): EventType<S> {
  if (eventCatalogue.has(name)) throw new Error(`The event ${name} is declared twice`)
  const declared: EventType<S> = { name, type: options.type ?? name, payload, ...options }
  // The catalogue forgets the payload's type; whoever reads from it validates by the schema.
  eventCatalogue.set(name, declared as unknown as EventType)
  return declared
}
