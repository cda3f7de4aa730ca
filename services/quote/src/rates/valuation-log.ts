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

/** The messages of a failed request. Never rejects: the caller gets the failure itself. */
export async function recordFailure(
  { store, log }: { store: Store; log: Log },
  valuation: Valuation,
  error: unknown,
  at: Date,
): Promise<void> {
  const recorded = store.commit((tx) => recordFailed(tx, valuation, error, at))
  await recorded.catch((problem: unknown) => log.warn({ err: problem }, 'A failed valuation was not recorded'))
}

/** The messages of a rate that was deleted together with its event, which carried the message of the request. */
export const recordWithdrawal = (tx: Tx, valuation: Valuation, at: Date): Promise<void> =>
  recordFailed(tx, valuation, fail('RATE_NOT_CREATED', { details: { broker: 'did not accept the event' } }), at)

/**
 * The log tracker's messages of a request and of its failure (spec 3, Events). They contain only the caller's answer: a cause
 * may contain confidential data.
 */
async function recordFailed(tx: Tx, valuation: Valuation, error: unknown, at: Date): Promise<void> {
  const { assetCode, requestId, at: requestedAt } = valuation
  await recordLog(tx, {
    service: 'quote',
    requestId,
    at: requestedAt,
    event_type: 'VALUATION_REQUESTED',
    status: 'PENDING',
    metadata: { asset_code: assetCode },
  })
  const { code, status, message, details } =
    error instanceof AppError ? error : { code: 'INTERNAL_ERROR', status: 500, message: 'Internal server error' }
  await recordLog(tx, {
    service: 'quote',
    requestId,
    at,
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

/** The maximum size of the metadata without the details. */
const besideDetails = 8 * 1024

/** The failures of very many providers would exceed the tracker's limit; the service's own log has them. */
function thatFit(details: unknown): unknown {
  const size = Buffer.byteLength(JSON.stringify(details))
  return size > maxMetadataBytes - besideDetails ? { truncated: true, size } : details
}
