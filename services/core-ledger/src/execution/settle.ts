import { and, eq, param, prepared, type Store, type Tx } from '@bursar/store'
import { completeTransaction, failTransaction } from '../transactions/move'
import { endPhases, phasesOf, startPhase } from '../transactions/phases'
import { transactionById } from '../transactions/read-transactions'
import { transactions } from '../transactions/transactions.table'
import type { Finding } from './ask-wallet'
import { type Work, workOf } from './read-work'
import { type RetryTuning, retryDelayMs } from './retry-delay'
import { dequeueWork } from './work'
import { work } from './work.table'

export interface Settling {
  readonly store: Store
  readonly now: () => Date
  readonly retry: RetryTuning
}

const notActive = 'The account or its customer is not active'

/** Completes a deposit or transfer in one commit; a deposit to an account that is not active waits. */
export const completeHere = (settling: Settling, id: string): Promise<void> =>
  settling.store.commit(async (tx) => {
    const job = await workOf(tx, id)
    if (!job) return
    const outcome = await completeTransaction(tx, id, { at: settling.now() })
    if (outcome === 'held') await putOff(tx, settling, job, { ...job, lastError: notActive })
    if (outcome === 'repeated') await dequeueWork(tx, id)
  })

/**
 * Writes down what an attempt has shown, in one commit: COMPLETED with its hash, FAILED with its hold released, or a
 * later attempt. `seen` is the work as it was when the attempt began: of two that ran at the same time one is counted.
 */
export const settleWithdrawal = (settling: Settling, seen: Work, finding: Finding): Promise<void> =>
  settling.store.commit(async (tx) => {
    const { transactionId: id } = seen
    const job = await workOf(tx, id)
    if (!job) return finding.is === 'confirmed' ? requireCompleted(tx, id) : undefined
    const at = settling.now()
    if (finding.is === 'confirmed') return void (await completeTransaction(tx, id, { txHash: finding.txHash, at }))
    if (finding.is === 'failed') return void (await failTransaction(tx, id, finding.reason, at))
    if (job.dueAt.getTime() !== seen.dueAt.getTime()) return
    if (finding.is === 'accepted') {
      const isStep = await noteBroadcast(tx, id, finding, at)
      const attempts = isStep || !job.acceptedAt ? -1 : job.attempts
      const accepted = { ...job, attempts, lastError: null, acceptedAt: job.acceptedAt ?? at }
      return putOff(tx, settling, job, accepted)
    }
    await putOff(tx, settling, job, { ...job, lastError: finding.reason })
  })

/** What another run has ended must have ended alike: the money has left. */
async function requireCompleted(tx: Tx, id: string): Promise<void> {
  const { status } = await transactionById(tx, id)
  if (status !== 'COMPLETED') throw new Error(`The wallet service confirmed withdrawal ${id}, which is ${status} here`)
}

/** Puts work off that could not be settled for a reason of our own. The reason stays in the log. */
export const putOffBroken = (settling: Settling, id: string): Promise<void> =>
  settling.store.commit(async (tx) => {
    const job = await workOf(tx, id)
    if (job) await putOff(tx, settling, job, { ...job, lastError: 'It could not be carried out; the log says why' })
  })

async function putOff(tx: Tx, { now, retry }: Settling, { dueAt: seenDueAt }: Work, job: Work): Promise<void> {
  const attempts = job.attempts + 1
  // Later than it was in any case: that is how the attempts are told apart.
  const dueAt = new Date(Math.max(now().getTime(), seenDueAt.getTime()) + retryDelayMs(attempts, retry))
  await updateWork(tx).execute({ ...job, attempts, dueAt, seenDueAt })
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
  const hash = txHash ?? record.txHash
  if (isKnown && hash === record.txHash) return false
  const confirming = startPhase(
    isKnown ? phases : endPhases(phases, ['execution'], 'COMPLETED', at, null),
    'confirmation',
    at,
  )
  await updateBroadcast(tx).execute({ id, txHash: hash, phases: confirming, updatedAt: at })
  return !isKnown
}

const updateWork = prepared((db) =>
  db
    .update(work)
    .set({
      dueAt: param('dueAt'),
      attempts: param('attempts'),
      lastError: param('lastError'),
      acceptedAt: param('acceptedAt'),
    })
    .where(and(eq(work.transactionId, param('transactionId')), eq(work.dueAt, param('seenDueAt')))),
)
const updateBroadcast = prepared((db) =>
  db
    .update(transactions)
    .set({ txHash: param('txHash'), phases: param('phases'), updatedAt: param('updatedAt') })
    .where(and(eq(transactions.id, param('id')), eq(transactions.status, 'APPROVED'))),
)
