import { isoTime } from '@bursar/contracts/iso-time'
import { and, eq, gt, param, prepared, type Tx } from '@bursar/store'
import { type Act, recordDecision } from '../decisions/decisions'
import { fail } from '../errors'
import { transactionById } from '../transactions/read-transactions'
import type { Execution } from './execution.model'
import { type Work, workOf } from './read-work'
import { work } from './work.table'

/**
 * Brings the next attempt at an approved transaction forward. One that is under way is due already: it goes on alone, for
 * it may have ordered a payment. 404 when there is no such transaction, 400 when it is not APPROVED.
 */
export async function retryWork(tx: Tx, id: string, act: Act, now: Date): Promise<Work> {
  const { id: ownId, status } = await transactionById(tx, id)
  const job = await workOf(tx, ownId)
  if (status !== 'APPROVED' || !job) {
    throw fail('ILLEGAL_MOVE', { message: `Transaction ${ownId} is ${status}; only an APPROVED one is carried out` })
  }
  await setDue(tx).execute({ id: ownId, now })
  await recordDecision(tx, ownId, 'RETRIED', act, now)
  return (await workOf(tx, ownId)) ?? job
}

export const toExecution = (job: Work): Execution => ({
  lane: job.lane,
  queuedAt: isoTime(job.createdAt),
  attempts: Math.max(0, job.attempts),
  lastError: job.lastError,
  nextAttemptAt: isoTime(job.dueAt),
  underWayUntil: job.leasedUntil && isoTime(job.leasedUntil),
  orderedAt: job.orderedAt && isoTime(job.orderedAt),
  acceptedAt: job.acceptedAt && isoTime(job.acceptedAt),
})

const setDue = prepared((db) =>
  db
    .update(work)
    .set({ dueAt: param('now') })
    .where(and(eq(work.transactionId, param('id')), gt(work.dueAt, param('now')))),
)
