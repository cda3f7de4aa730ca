import { recordLog } from '@bursar/http'
import type { Tx } from '@bursar/store'

/** Adds a line to the log tracker about what a person should look at, or with `SUCCESS` that it is over. */
export const recordAlarm = (
  tx: Tx,
  { requestId, at, status = 'FAILURE' }: { requestId: string; at: Date; status?: 'SUCCESS' | 'FAILURE' },
  metadata: Record<string, unknown> & { message: string },
): Promise<void> =>
  recordLog(tx, { service: 'core-ledger', requestId, at, event_type: 'ERROR_OCCURRED', status, metadata })
