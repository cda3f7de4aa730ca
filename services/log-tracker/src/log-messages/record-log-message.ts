import { type LogEntry, maxMetadataBytes } from '@bursar/contracts/log-entry'
import { isUuid, parseIsoTime } from '@bursar/contracts/schema'
import { insertInto, param, prepared, sql, type Tx } from '@bursar/store'
import type { LogMessage } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { countInBlock } from './time-blocks'

/**
 * Stores a log message and counts it. Metadata over 32 KB is replaced by `{truncated: true, size}` (decisions,
 * Tracker); `size` is in bytes. `splitAt` is for tests.
 */
export async function recordLogMessage(tx: Tx, entry: LogEntry, splitAt?: number): Promise<LogMessage> {
  const id = Bun.randomUUIDv7()
  const timestamp = parseIsoTime(entry.timestamp)
  const metadata = withinLimit(entry.metadata)
  const names = { service: entry.service, eventType: entry.event_type, status: entry.status }
  const [series] = await countInSeries(tx).execute(names)
  if (!series) throw new Error('The upsert of a series gave no row')
  const transactionId = transactionOf(metadata)
  const message = { id, seriesId: series.id, requestId: entry.request_id, transactionId, timestamp, metadata }
  await insertMessage(tx).execute(message)
  await countInBlock(tx, { ...names, timestamp }, splitAt)
  return { ...entry, id, timestamp: timestamp.toISOString(), metadata }
}

function withinLimit(metadata: LogEntry['metadata']): LogEntry['metadata'] {
  const size = Buffer.byteLength(JSON.stringify(metadata))
  return size > maxMetadataBytes ? { truncated: true, size } : metadata
}

/** The transaction or payment of a message: all services use the same field. */
export function transactionOf({ transaction_id: id }: LogEntry['metadata']): string | null {
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null
}

const countInSeries = prepared((db) =>
  db
    .insert(logSeries)
    .values({ service: param('service'), eventType: param('eventType'), status: param('status'), messages: 1 })
    .onConflictDoUpdate({
      target: [logSeries.service, logSeries.eventType, logSeries.status],
      set: { messages: sql`${logSeries.messages} + 1` },
    })
    .returning({ id: logSeries.id }),
)
const insertMessage = insertInto(logMessages)
