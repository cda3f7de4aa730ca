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

/** The log tracker's message of a requested rate (spec 3, Events): pending until one of the others follows. */
const recordRequest = (tx: Tx, { assetCode, requestId, at }: Valuation): Promise<void> =>
  recordLog(tx, {
    service: 'quote',
    requestId,
    at,
    event_type: 'VALUATION_REQUESTED',
    status: 'PENDING',
    metadata: { asset_code: assetCode },
  })

/** The messages of a failed request. Never rejects: the caller gets the failure itself. */
export async function recordFailure(
  { store, log }: { store: Store; log: Log },
  valuation: Valuation,
  { error, at }: { error: unknown; at: Date },
): Promise<void> {
  const recorded = store.commit(async (tx) => {
    await recordRequest(tx, valuation)
    await recordFailed(tx, valuation, { error, at })
  })
  await recorded.catch((problem: unknown) => log.warn({ err: problem }, 'A failed valuation was not recorded'))
}

/** The messages of a rate that was deleted together with its event, which carried the message of the request. */
export async function recordWithdrawal(tx: Tx, valuation: Valuation, at: Date): Promise<void> {
  await recordRequest(tx, valuation)
  const error = fail('RATE_NOT_CREATED', { details: { broker: 'did not accept the event' } })
  await recordFailed(tx, valuation, { error, at })
}

/** Contains only the caller's answer: a cause may contain confidential data. */
function recordFailed(
  tx: Tx,
  { assetCode, requestId }: Valuation,
  { error, at }: { error: unknown; at: Date },
): Promise<void> {
  const { code, status, message, details } =
    error instanceof AppError ? error : { code: 'INTERNAL_ERROR', status: 500, message: 'Internal server error' }
  return recordLog(tx, {
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
