import { type LogEntry, maxMetadataBytes } from '@bursar/contracts/log-entry'
import { isUuid, parseIsoTime } from '@bursar/contracts/schema'
import { insertAll, newId, params, prepared, sql, type Tx } from '@bursar/store'
import type { Names } from './combinations'
import type { LogMessage } from './log-messages.model'
import { logMessages, logSeries } from './log-messages.table'
import { countInBlocks } from './time-blocks'

/**
 * Stores log messages in their order, and counts them. Metadata over 32 KB is replaced by `{truncated: true, size}`
 * (decisions, Tracker); `size` is in bytes. `splitAt` is for tests.
 */
export async function recordLogMessages(tx: Tx, entries: readonly LogEntry[], splitAt?: number): Promise<LogMessage[]> {
  if (entries.length === 0) return []
  const known = entries.map((entry) => {
    const metadata = withinLimit(entry.metadata)
    const names = { service: entry.service, eventType: entry.event_type, status: entry.status }
    return { id: newId(), timestamp: parseIsoTime(entry.timestamp), metadata, names, key: keyOf(names), entry }
  })
  const seriesIds = new Map<string, number>()
  for (const [key, alike] of Map.groupBy(known, ({ key }) => key)) {
    const [series] = await countInSeries(tx).execute({ ...(alike[0]?.names as Names), messages: alike.length })
    if (!series) throw new Error('The upsert of a series gave no row')
    seriesIds.set(key, series.id)
  }
  await insertMessages(
    tx,
    known.map(({ id, timestamp, metadata, key, entry }) => ({
      id,
      seriesId: seriesIds.get(key) as number,
      requestId: entry.request_id,
      transactionId: transactionOf(metadata),
      timestamp,
      metadata,
    })),
  )
  await countInBlocks(tx, known, splitAt)
  return known.map(({ id, timestamp, metadata, entry }) => ({
    ...entry,
    id,
    timestamp: timestamp.toISOString(),
    metadata,
  }))
}

const keyOf = ({ service, eventType, status }: Names) => JSON.stringify([service, eventType, status])

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
    .values(params(logSeries))
    .onConflictDoUpdate({
      target: [logSeries.service, logSeries.eventType, logSeries.status],
      set: { messages: sql`${logSeries.messages} + excluded.messages` },
    })
    .returning({ id: logSeries.id }),
)
const insertMessages = insertAll(logMessages)
