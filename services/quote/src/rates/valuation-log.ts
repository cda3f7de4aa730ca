import type { Log } from '@bursar/contracts/log'
import { maxMetadataBytes } from '@bursar/contracts/log-entry'
import { AppError, recordLog } from '@bursar/http'
import type { Store, Tx } from '@bursar/store'
import { fail } from '../errors'

/** A request for a rate. */
export interface Valuation {
  assetCode: string
  requestId: string
  /** When the request began. */
  at: Date
}

/** The line that a rate was asked for, for the log tracker (spec 3, Events): pending until one of the others follows. */
const recordRequest = (tx: Tx, { assetCode, requestId, at }: Valuation): Promise<void> =>
  recordLog(tx, {
    service: 'quote',
    requestId,
    at,
    event_type: 'VALUATION_REQUESTED',
    status: 'PENDING',
    metadata: { asset_code: assetCode },
  })

/** The lines of a request that failed. Never rejects: the caller gets the failure itself. */
export async function recordFailure(
  { store, log }: { store: Store; log: Log },
  valuation: Valuation,
  error: unknown,
): Promise<void> {
  const recorded = store.commit(async (tx) => {
    await recordRequest(tx, valuation)
    await recordFailed(tx, valuation, error)
  })
  await recorded.catch((problem: unknown) => log.warn({ err: problem }, 'A failed valuation was not recorded'))
}

/** The lines of a rate that was taken back together with its event, which carried the line of the request. */
export async function recordWithdrawal(tx: Tx, valuation: Valuation): Promise<void> {
  await recordRequest(tx, valuation)
  await recordFailed(tx, valuation, fail('RATE_NOT_CREATED', { details: { broker: 'did not take the event' } }))
}

/** Contains the caller's answer alone: a cause may hold what others may not see. */
function recordFailed(tx: Tx, { assetCode, requestId }: Valuation, error: unknown): Promise<void> {
  const { code, status, message, details } =
    error instanceof AppError ? error : { code: 'INTERNAL_ERROR', status: 500, message: 'Internal server error' }
  return recordLog(tx, {
    service: 'quote',
    requestId,
    event_type: 'VALUATION_FAILED',
    status: 'FAILURE',
    metadata: {
      asset_code: assetCode,
      error_code: code,
      status_code: status,
      reason: message,
      ...(details ? { details: thatFit(details) } : {}),
    },
  })
}

/** The size of the metadata beside the details: twice the asset's code, and the rest. */
const besideDetails = 8 * 1024

/** The failures of very many providers would exceed the tracker's limit; they are in the service's own log. */
function thatFit(details: unknown): unknown {
  const size = Buffer.byteLength(JSON.stringify(details))
  return size > maxMetadataBytes - besideDetails ? { truncated: true, size } : details
}
