import { type HeardOrder, judgeEvent, markOf, type ToldState } from '@bursar/contracts/order-states'
import type { ChangeMark } from '@bursar/contracts/replica'
import { and, doubling, eq, param, prepared, type Tx } from '@bursar/store'
import { addKey } from '../movements/index-keys'
import { completeRead, completeTransaction, failTransaction } from '../movements/move'
import { obstacleOf } from '../movements/obstacle'
import { endPhases, phasesOf, startPhase } from '../movements/phases'
import { type ClaimedWork, type RetryTuning, type Settling, wakeWork } from '../movements/queue'
import { queuedTransaction, type TransactionRecord, transactionById } from '../movements/read-transactions'
import { type Work, workOf } from '../movements/read-work'
import { transactions } from '../movements/transactions.table'
import { dequeueWork } from '../movements/work'
import { work } from '../movements/work.table'
import { normalHash } from '../networks/networks'
import type { Finding } from './ask-wallet'

/**
 * Completes a deposit or transfer. One whose accounts are not active waits, and fails when that is for good; `unknown`
 * is why their state is not known, and then it waits, too.
 */
export async function completeHere(
  tx: Tx,
  { queue, now }: Settling,
  row: ClaimedWork,
  unknown: string | null,
): Promise<void> {
  const { transactionId: id } = row
  if (!(await workOf(tx, id))) return
  const at = now()
  const transaction = await transactionById(tx, id)
  if (transaction.status !== 'APPROVED') return void (await dequeueWork(tx, id))
  const obstacle = unknown === null ? await obstacleOf(tx, transaction) : { reason: unknown, isFinal: false }
  if (!obstacle) await completeTransaction(tx, id, { at })
  else if (obstacle.isFinal) await failTransaction(tx, id, obstacle.reason, at)
  else await queue.reschedule(tx, row, { now: at, error: obstacle.reason })
}

/**
 * Writes down what an attempt has shown: COMPLETED with its hash, FAILED with its hold released, or a later attempt.
 * What ends it is written whoever has the lease; a later attempt is, while this one has it.
 */
export async function settleWithdrawal(
  tx: Tx,
  { queue, now, retry }: Settling,
  row: ClaimedWork,
  finding: Finding,
): Promise<void> {
  const { transactionId: id } = row
  const record = await queuedTransaction(tx, id)
  if (!record) return finding.is === 'confirmed' ? requireCompleted(tx, id) : undefined
  const at = now()
  if (finding.is === 'confirmed') return void (await completeRead(tx, record, { txHash: finding.txHash, at }))
  if (finding.is === 'failed') return void (await failTransaction(tx, id, finding.reason, at))
  if (finding.is === 'unknown') return await queue.reschedule(tx, row, { now: at, error: finding.reason })
  const isStep = finding.broadcast && (await noteBroadcast(tx, record, finding.txHash, at))
  // An answer has no mark: what events told before is not compared with it.
  const isOther = finding.txHash !== null && normalHash(record.network, finding.txHash) !== record.txHash
  if (isOther && record.work.toldEpoch !== null) await noteTold(tx).execute({ id, toldEpoch: null, toldVersion: null })
  const attempts = isStep || row.acceptedAt === null ? 0 : row.attempts + 1
  // One that takes long may wait for what keeps it from being signed.
  const waits = row.acceptedAt && !finding.broadcast ? await obstacleOf(tx, record) : null
  const error = finding.waitsFor ?? waits?.reason ?? null
  await queue.reschedule(tx, row, { now: at, error, attempts, atLeastMs: patientMs(retry, attempts) })
  if (row.acceptedAt === null) await noteAccepted(tx).execute({ id, acceptedAt: at })
}

/**
 * Notes what the wallet service's event says of a withdrawal, as far as events are believed; of the rest that service is
 * asked at once. False for a withdrawal that is not to be carried out (any more).
 */
export async function hearOfWithdrawal(
  tx: Tx,
  event: ToldState & ChangeMark,
  { now, areClosed }: { now: Date; areClosed: boolean },
): Promise<boolean> {
  const { id, txHash } = event
  const record = await queuedTransaction(tx, id)
  if (record?.work.lane !== 'chain') return false
  const isUnknown = areClosed || record.work.orderedAt === null
  const verdict = isUnknown ? 'ask' : judgeEvent(heard(record), normal(event, record))
  if (verdict === 'ask') await wakeWork(tx, id, now)
  if (verdict !== 'believe' || txHash === null) return true
  if (event.status === 'confirmed') await completeRead(tx, record, { txHash, at: now })
  else {
    await noteBroadcast(tx, record, txHash, now)
    await noteTold(tx).execute({ id, toldEpoch: event.epoch, toldVersion: event.version })
  }
  return true
}

const heard = ({ work: job, txHash }: TransactionRecord & { work: Work }): HeardOrder => ({
  status: txHash === null ? 'accepted' : 'broadcast',
  txHash,
  told: markOf(job),
})

const normal = (event: ToldState & ChangeMark, { network }: TransactionRecord): ToldState & ChangeMark => ({
  ...event,
  txHash: event.txHash === null ? null : normalHash(network, event.txHash),
})

/**
 * Of what the wallet service has accepted its event says when there is news; the question is for events that were lost,
 * and must not add to the work of a service that is behind.
 */
const patientMs = ({ firstMs, longestMs }: RetryTuning, attempts: number): number =>
  doubling(5 * firstMs, longestMs).pauseMs(Math.max(1, attempts))

/** What another run has ended must have ended alike: the money has left. */
async function requireCompleted(tx: Tx, id: string): Promise<void> {
  const { status } = await transactionById(tx, id)
  if (status !== 'COMPLETED') throw new Error(`The wallet service confirmed withdrawal ${id}, which is ${status} here`)
}

/** Stores the hash, ends the execution and begins the confirmation. False when all that stood there already. */
async function noteBroadcast(tx: Tx, record: TransactionRecord, txHash: string | null, at: Date): Promise<boolean> {
  const { id } = record
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

const noteAccepted = prepared((db) =>
  db
    .update(work)
    .set({ acceptedAt: param('acceptedAt') })
    .where(eq(work.transactionId, param('id'))),
)
const noteTold = prepared((db) =>
  db
    .update(work)
    .set({ toldEpoch: param('toldEpoch'), toldVersion: param('toldVersion') })
    .where(eq(work.transactionId, param('id'))),
)
const updateBroadcast = prepared((db) =>
  db
    .update(transactions)
    .set({ txHash: param('txHash'), phases: param('phases'), updatedAt: param('updatedAt') })
    .where(and(eq(transactions.id, param('id')), eq(transactions.status, 'APPROVED'))),
)
