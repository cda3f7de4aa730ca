import { about, oneOf, type Static, t, text, timestamp } from './schema'

/** The event types that the specification names for log messages (spec 3, Events 1). */
export const logEventTypes = [
  'TRANSACTION_CREATED',
  'TRANSACTION_COMPLETED',
  'TRANSACTION_FAILED',
  'TRANSACTION_CANCELLED',
  'VALUATION_REQUESTED',
  'VALUATION_PROCESSED',
  'VALUATION_FAILED',
  'PARTICIPANT_CREATED',
  'PARTICIPANT_UPDATED',
  'PARTICIPANT_DELETED',
  'WALLET_CREATED',
  'WALLET_BALANCE_UPDATED',
  'WALLET_TRANSACTION',
  'SERVICE_STARTED',
  'SERVICE_STOPPED',
  'HEALTH_CHECK',
  'ERROR_OCCURRED',
] as const

export const logStatuses = ['SUCCESS', 'FAILURE', 'PENDING'] as const

/** The most that a log message's metadata may weigh, as JSON text in bytes (spec 3, Limits). */
export const maxMetadataBytes = 32 * 1024

/** A log message before it has an id (spec 3, Log message). Metadata's field names are in snake_case. */
export const LogEntry = t.Object(
  {
    service: about('The service that it happened in', text(100)),
    request_id: about('The x-request-id of the request that caused it', t.String()),
    event_type: about('What kind of event it is', oneOf(logEventTypes)),
    status: about('How it ended; PENDING while it has not', oneOf(logStatuses)),
    timestamp: timestamp(),
    metadata: about('Further facts, by names in snake_case; at most 32 KiB of JSON', t.Record(t.String(), t.Unknown())),
  },
  { title: 'LogEntry' },
)
export type LogEntry = Static<typeof LogEntry>
