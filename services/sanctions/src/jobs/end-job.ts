import { type AddressResult, SanctionsJobCompleted, type TransactionResult } from '@bursar/contracts/sanctions'
import { emit, type Tx } from '@bursar/store'
import { requestDelivery } from '../callbacks/request-delivery'
import { type ScreenedAddress, watch } from '../watch/watch'
import { type JobRow, noteEnd } from './jobs'

/** The outcome of a job: a result, or the reason why there is none. */
export type Outcome =
  | { result: AddressResult | TransactionResult; screened: readonly ScreenedAddress[] }
  | { error: string }

/**
 * Ends a job after its last attempt: stores its state, emits its event, requests its webhook and watches its addresses,
 * in this transaction. Does nothing when it has already ended.
 */
export async function endJob(
  tx: Tx,
  job: JobRow,
  outcome: Outcome,
  { at, callbackUrl }: { at: Date; callbackUrl: string | undefined },
): Promise<void> {
  const ended =
    'result' in outcome
      ? ({ status: 'completed', result: outcome.result, lastError: null } as const)
      : ({ status: 'failed', result: null, lastError: outcome.error } as const)
  if (!(await noteEnd(tx, { ...ended, id: job.id, attempts: job.attempts + 1 }, at))) return
  const { id: jobId, kind, externalId, participantId } = job
  if ('result' in outcome) {
    await watch(tx, outcome.screened, { participantId, ledgerTransactionId: kind === 'ledger' ? externalId : null }, at)
  }
  await emitEnded(tx, { ...job, ...ended }, at)
  // The core ledger sends its own webhooks for its transactions.
  if (kind === 'ledger') return
  const { status, result } = ended
  await requestDelivery(
    tx,
    {
      requestId: jobId,
      eventType: `sanctions.${status}`,
      participantId,
      callbackUrl,
      headers: job.callbackHeaders,
      data: { jobId, externalId, status, result },
    },
    at,
  )
}

/** Emits the end of a job, in this transaction; also a second time, when the first event was lost. */
export async function emitEnded(
  tx: Tx,
  { id: jobId, kind, externalId, participantId, status, result, lastError: error }: JobRow,
  at: Date,
): Promise<void> {
  if (status === 'pending') throw new Error(`Job ${jobId} has not ended`)
  const event = { v: 1 as const, jobId, kind, externalId, participantId, status, result, error, at: at.toISOString() }
  await emit(tx, SanctionsJobCompleted, event, at)
}
