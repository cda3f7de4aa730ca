import { oneOf, type Static, t, text, timestamp } from './schema'

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
export const LogEntry = t.Object({
  service: text(100),
  request_id: t.String(),
  event_type: oneOf(logEventTypes),
  status: oneOf(logStatuses),
  timestamp: timestamp(),
  metadata: t.Record(t.String(), t.Unknown()),
})
export type LogEntry = Static<typeof LogEntry>
