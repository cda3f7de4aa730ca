import type { LogWording } from '@bursar/contracts/event'
import { maxMetadataBytes } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import type { ServiceName } from '@bursar/contracts/services'
import { emit, type Tx } from '@bursar/store'

/**
 * Adds a line for the log tracker to the outbox, in this transaction. Throws if its metadata is larger than 32 KB (spec
 * 3, Limits; decisions: refused at the publisher).
 */
export async function recordLog(
  tx: Tx,
  line: Omit<LogWording, 'timestamp'> & { service: ServiceName; requestId: string; at: Date },
): Promise<void> {
  const { service, requestId, at, ...wording } = line
  if (Buffer.byteLength(JSON.stringify(wording.metadata)) > maxMetadataBytes) {
    throw new Error(`A log message's metadata must not weigh more than ${maxMetadataBytes} bytes`)
  }
  await emit(tx, LogRecorded, { service, request_id: requestId, timestamp: at.toISOString(), ...wording }, at)
}
