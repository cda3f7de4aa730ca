import { readCall, writeCall } from './call'
import { about, nullable, oneOf, type Static, t, timestamp } from './schema'
import type { ServiceName } from './services'

/** The state of a service, for its operators (GET /internal/operations of every service). */
export const Operations = t.Object({
  service: t.String(),
  version: t.String(),
  startedAt: timestamp(),
  /** The names of the checks of GET /health. */
  checks: t.Array(t.String()),
  /** Those that fail, with their reasons. */
  failures: t.Record(t.String(), t.String()),
  /** Sentences about work that waits for a person, as GET /health has them. */
  waiting: t.Array(t.String()),
  /** Its own figures, by the names of its metrics. */
  figures: t.Record(t.String(), t.Number()),
  outbox: t.Object({
    /** Events that are committed and not published. */
    waiting: t.Integer({ minimum: 0 }),
    /** When the oldest of them was made; null for none. */
    oldestAt: nullable(timestamp()),
    /** The broker's last error, or which events this release does not know; null for neither. */
    problem: nullable(t.String()),
    /** Events whose name is not in the catalogue of this release: they wait for one that has it. */
    unknown: t.Array(t.Object({ name: t.String(), count: t.Integer({ minimum: 1 }), oldestAt: timestamp() })),
  }),
  queue: t.Object({
    /** Jobs that are not done; null while Redis does not answer. */
    depth: nullable(t.Integer({ minimum: 0 })),
    deadLetters: nullable(t.Integer({ minimum: 0 })),
  }),
  /** The names of the events that it consumes. */
  consumers: t.Array(t.String()),
  /** Null while it does not answer; it has a log of its own where it is a file. */
  database: nullable(t.Object({ bytes: t.Integer({ minimum: 0 }), logBytes: nullable(t.Integer({ minimum: 0 })) })),
  diskFreeBytes: nullable(t.Integer({ minimum: 0 })),
})
export type Operations = Static<typeof Operations>

/** The figures of a service in Prometheus' text form: what its GET /metrics answers. */
export const MetricsText = t.Object({ text: t.String() })

/** A job that failed every attempt and waits for a retry by hand. */
export const DeadLetter = t.Object(
  {
    id: t.String(),
    /** The service that could not handle it. */
    consumer: t.String(),
    /** The events in it; empty when it carries none that can be read. */
    events: t.Array(t.Object({ id: t.String(), name: t.String() })),
    attempts: about('How often it was tried', t.Integer({ minimum: 0 })),
    error: about('The last error', t.String()),
    at: about('When it failed for good', timestamp()),
  },
  { title: 'DeadLetter' },
)
export type DeadLetter = Static<typeof DeadLetter>

/** Newest first. */
export const DeadLetters = t.Object(
  {
    total: about('How many there are; at most a hundred are listed', t.Integer({ minimum: 0 })),
    items: t.Array(DeadLetter, { maxItems: 100 }),
  },
  { title: 'DeadLetters' },
)
export type DeadLetters = Static<typeof DeadLetters>

/** `retried`: it is on the queue again. `pending`: it was already. `done`: it has been handled since. */
const retryStates = ['retried', 'pending', 'done'] as const
export const DeadLetterRetry = t.Object(
  {
    id: t.String(),
    state: about(
      'retried: it is on the queue again; pending: it was already; done: it was handled',
      oneOf(retryStates),
    ),
  },
  { title: 'DeadLetterRetry' },
)
export type DeadLetterRetry = Static<typeof DeadLetterRetry>

/** The keys of a service's rings: the file's name, and whether nothing is sealed by an earlier one than the newest. */
export const KeyState = t.Object({
  name: t.String(),
  /** Newest first, by the first 32 bits of their SHA-256; the first is in use. */
  keys: t.Array(t.Object({ id: t.String(), until: nullable(timestamp()) })),
  resealed: t.Boolean(),
})
export type KeyState = Static<typeof KeyState>
export const KeyStates = t.Object({ rings: t.Array(KeyState) })

/** A person's action by a command on the machine: written into the audit trail before it is carried out. */
export const CommandAct = t.Object({
  /** The person's account on the machine. */
  person: t.String({ minLength: 1, maxLength: 255 }),
  /** The service that it concerns; `platform` for all. */
  service: t.String({ minLength: 1, maxLength: 64 }),
  /** `ROTATE internal`. */
  action: t.String({ minLength: 1, maxLength: 255 }),
  object: nullable(t.String({ maxLength: 255 })),
  request: t.Record(t.String(), t.String({ maxLength: 1024 }), { maxProperties: 20 }),
})
export type CommandAct = Static<typeof CommandAct>
/** Its outcome, as an HTTP status. */
export const CommandOutcome = t.Object({
  status: t.Integer({ minimum: 200, maximum: 599 }),
  problem: t.Optional(t.String({ maxLength: 1024 })),
})

export const getKeyStates = (service: ServiceName) => readCall(service, 'GET', '/internal/operations/keys', KeyStates)
/** For callers on the gateway's machine alone. */
export const beginCommandAct = writeCall('gateway', 'POST', '/internal/acts', CommandAct, t.Object({ id: t.String() }))
/** 404 when there is no such act, or it has an outcome. */
export const endCommandAct = writeCall(
  'gateway',
  'POST',
  '/internal/acts/:id/outcome',
  CommandOutcome,
  t.Object({ id: t.String() }),
)

export const getOperations = (service: ServiceName) => readCall(service, 'GET', '/internal/operations', Operations)
export const getMetrics = (service: ServiceName) =>
  readCall(service, 'GET', '/internal/operations/metrics', MetricsText)
export const listDeadLetters = (service: ServiceName) =>
  readCall(service, 'GET', '/internal/operations/dead-letters', DeadLetters)
/** 404 when there is no such job, or it is older than 30 days; 503 while Redis does not answer. A repeat changes nothing. */
export const retryDeadLetter = (service: ServiceName) =>
  readCall(service, 'POST', '/internal/operations/dead-letters/:id/retry', DeadLetterRetry)
