import { isoTime } from '@bursar/contracts/iso-time'
import type { Tx } from '@bursar/store'
import { type Act, recordDecision } from '../decisions/decisions'
import { fail } from '../errors'
import { wakeWork } from '../movements/execution-queue'
import { transactionById } from '../movements/read-transactions'
import { dueOf, type Work, workOf } from '../movements/read-work'
import type { Execution } from './execution.model'

/**
 * Makes the next attempt at an approved transaction due now. A running attempt goes on alone, because it may have
 * ordered a payment. 404 for an unknown transaction, 400 unless APPROVED.
 */
export async function retryWork(tx: Tx, id: string, act: Act, now: Date): Promise<Work> {
  const { id: ownId, status } = await transactionById(tx, id)
  const job = await workOf(tx, ownId)
  if (status !== 'APPROVED' || !job) {
    throw fail('ILLEGAL_MOVE', { message: `Transaction ${ownId} is ${status}; only an APPROVED one is carried out` })
  }
  await wakeWork(tx, ownId, now)
  await recordDecision(tx, ownId, 'RETRIED', act, now)
  return (await workOf(tx, ownId)) ?? job
}

export const toExecution = (job: Work): Execution => ({
  lane: job.lane,
  queuedAt: isoTime(job.createdAt),
  attempts: Math.max(0, job.attempts),
  lastError: job.lastError,
  nextAttemptAt: isoTime(dueOf(job)),
  underWayUntil: job.leasedUntil && isoTime(job.leasedUntil),
  orderedAt: job.orderedAt && isoTime(job.orderedAt),
  acceptedAt: job.acceptedAt && isoTime(job.acceptedAt),
})
