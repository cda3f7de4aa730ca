import { and, eq, param, prepared, type Tx } from '@bursar/store'
import { addKey } from '../lookup/index-keys'
import { normalHash } from '../networks/networks'
import { completeTransaction, failTransaction } from '../transactions/move'
import { obstacleOf } from '../transactions/obstacle'
import { endPhases, phasesOf, startPhase } from '../transactions/phases'
import { transactionById } from '../transactions/read-transactions'
import { transactions } from '../transactions/transactions.table'
import type { Finding } from './ask-wallet'
import { putOff, type Settling } from './put-off'
import { type Work, workOf } from './read-work'
import type { RetryTuning } from './retry-delay'
import { dequeueWork } from './work'

/**
 * Completes a deposit or transfer. One whose accounts are not active waits, and fails when that is for good; `unknown`
 * is why their state is not known, and then it waits, too.
 */
export async function completeHere(tx: Tx, settling: Settling, id: string, unknown: string | null): Promise<void> {
  const job = await workOf(tx, id)
  if (!job) return
  const at = settling.now()
  const transaction = await transactionById(tx, id)
  if (transaction.status !== 'APPROVED') return void (await dequeueWork(tx, id))
  const obstacle = unknown === null ? await obstacleOf(tx, transaction) : { reason: unknown, isFinal: false }
  if (!obstacle) await completeTransaction(tx, id, { at })
  else if (obstacle.isFinal) await failTransaction(tx, id, obstacle.reason, at)
  else await putOff(tx, settling, job, { ...job, lastError: obstacle.reason })
}

/**
 * Writes down what an attempt has shown: COMPLETED with its hash, FAILED with its hold released, or a later attempt.
 * `seen` is the work as it was when the attempt began: of two that ran at the same time one is counted.
 */
export async function settleWithdrawal(tx: Tx, settling: Settling, seen: Work, finding: Finding): Promise<void> {
  const { transactionId: id } = seen
  const job = await workOf(tx, id)
  if (!job) return finding.is === 'confirmed' ? requireCompleted(tx, id) : undefined
  const at = settling.now()
  if (finding.is === 'confirmed') return void (await completeTransaction(tx, id, { txHash: finding.txHash, at }))
  if (finding.is === 'failed') return void (await failTransaction(tx, id, finding.reason, at))
  if (job.dueAt.getTime() !== seen.dueAt.getTime()) return
  if (finding.is === 'unknown') return putOff(tx, settling, job, { ...job, lastError: finding.reason })
  const isStep = await noteBroadcast(tx, id, finding, at)
  const attempts = isStep || !job.acceptedAt ? -1 : job.attempts
  // One that takes long may wait for what keeps it from being signed.
  const waits = job.acceptedAt && !finding.broadcast ? await obstacleOf(tx, await transactionById(tx, id)) : null
  const next = {
    ...job,
    attempts,
    lastError: finding.waitsFor ?? waits?.reason ?? null,
    acceptedAt: job.acceptedAt ?? at,
  }
  await putOff(tx, { ...settling, retry: patient(settling.retry) }, job, next)
}

/**
 * Of what the wallet service has accepted its event says when there is news; the question is for events that were lost,
 * and must not add to the work of a service that is behind.
 */
const patient = ({ firstMs, longestMs }: RetryTuning): RetryTuning => ({ firstMs: 5 * firstMs, longestMs })

/** What another run has ended must have ended alike: the money has left. */
async function requireCompleted(tx: Tx, id: string): Promise<void> {
  const { status } = await transactionById(tx, id)
  if (status !== 'COMPLETED') throw new Error(`The wallet service confirmed withdrawal ${id}, which is ${status} here`)
}

/** Stores the hash, ends the execution and begins the confirmation. False when all that stood there already. */
async function noteBroadcast(
  tx: Tx,
  id: string,
  { broadcast, txHash }: { broadcast: boolean; txHash: string | null },
  at: Date,
): Promise<boolean> {
  if (!broadcast) return false
  const record = await transactionById(tx, id)
  const phases = phasesOf(record)
  const isKnown = phases.some((phase) => phase.name === 'confirmation')
  const hash = txHash === null ? record.txHash : normalHash(record.network, txHash)
  if (isKnown && hash === record.txHash) return false
  const confirming = startPhase(
    isKnown ? phases : endPhases(phases, ['execution'], 'COMPLETED', at, null),
    'confirmation',
    at,
  )
  await updateBroadcast(tx).execute({ id, txHash: hash, phases: confirming, updatedAt: at })
  // No entry of the journal comes with it, which the index follows.
  if (hash !== null) await addKey(tx, id, hash)
  return !isKnown
}

const updateBroadcast = prepared((db) =>
  db
    .update(transactions)
    .set({ txHash: param('txHash'), phases: param('phases'), updatedAt: param('updatedAt') })
    .where(and(eq(transactions.id, param('id')), eq(transactions.status, 'APPROVED'))),
)
