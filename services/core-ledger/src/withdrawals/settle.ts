import { type HeardOrder, judgeEvent, markOf, type ToldState, wasTold } from '@bursar/contracts/order-states'
import type { ChangeMark } from '@bursar/contracts/replica'
import { doubling, sql, type Tx, updateAll } from '@bursar/store'
import { type ClaimedWork, type RetryTuning, type Settling, type Waiting, wakeWork } from '../movements/execution-queue'
import { addKeys } from '../movements/index-keys'
import { completeApproved, type Ending, failApproved } from '../movements/move'
import { obstaclesOf } from '../movements/obstacle'
import { endPhases, phasesOf, startPhase } from '../movements/phases'
import { type QueuedTransaction, queuedTransactions, transactionById } from '../movements/read-transactions'
import { queuedAmong } from '../movements/read-work'
import { transactions } from '../movements/transactions.table'
import { wakeRecheck } from '../movements/work'
import { work } from '../movements/work.table'
import { normalHash } from '../networks/networks'
import type { Finding } from './ask-wallet'

/** A deposit or transfer to complete. `unknown`: why the states of its accounts are not known. */
export interface Completion {
  row: ClaimedWork
  unknown: string | null
}

/**
 * Completes deposits and transfers. One whose accounts are inactive or of unknown state waits; it fails when that is
 * final.
 */
export async function completeDepositsAndTransfers(
  tx: Tx,
  { queue, now }: Settling,
  all: readonly Completion[],
): Promise<null[]> {
  const at = now()
  const queued = await queuedTransactions(tx, idsOf(all))
  const found = all.flatMap(({ row, unknown }) => {
    const transaction = queued.get(row.transactionId)
    return transaction ? [{ row, unknown, transaction, requestId: row.transactionId }] : []
  })
  const obstacles = await obstaclesOf(
    tx,
    found.map(({ transaction }) => transaction),
  )
  const free: Ending[] = []
  const failed: (Ending & { reason: string })[] = []
  const waiting: Waiting[] = []
  for (const [i, { row, unknown, ...ending }] of found.entries()) {
    const obstacle = unknown === null ? obstacles[i] : { reason: unknown, isFinal: false }
    if (!obstacle) free.push(ending)
    else if (obstacle.isFinal) failed.push({ ...ending, reason: obstacle.reason })
    else waiting.push({ row, why: { now: at, error: obstacle.reason } })
  }
  await completeApproved(tx, free, at)
  await failApproved(tx, failed, at)
  await queue.rescheduleAll(tx, waiting)
  return all.map(() => null)
}

export interface Found {
  row: ClaimedWork
  finding: Finding
}

/**
 * Stores the results of attempts: COMPLETED with the hash, FAILED with the hold released, or a later attempt. An end is
 * stored whoever holds the lease; a later attempt only while this one holds it.
 */
export async function settleWithdrawals(tx: Tx, settling: Settling, all: readonly Found[]): Promise<null[]> {
  const { queue, now } = settling
  const at = now()
  const queued = await queuedTransactions(tx, idsOf(all.filter(needsRecord)))
  const waiting = await queuedAmong(tx, idsOf(all.filter((found) => !needsRecord(found))))
  const paid: (Ending & { txHash: string })[] = []
  const failed: (Ending & { reason: string })[] = []
  const unknown: Waiting[] = []
  const accepted: Accepted[] = []
  for (const { row, finding } of all) {
    const { transactionId: id } = row
    const transaction = queued.get(id)
    if (!transaction && !waiting.has(id)) {
      if (finding.is === 'confirmed') await requireCompleted(tx, id)
    } else if (finding.is === 'unknown') unknown.push({ row, why: { now: at, error: finding.reason } })
    else if (finding.is === 'accepted') accepted.push({ row, finding, record: transaction })
    else if (transaction) {
      const ending = { transaction, requestId: id }
      if (finding.is === 'confirmed') paid.push({ ...ending, txHash: finding.txHash })
      else failed.push({ ...ending, reason: finding.reason })
    }
  }
  await completeApproved(tx, paid, at)
  await failApproved(tx, failed, at)
  await queue.rescheduleAll(tx, unknown)
  await settleAccepted(tx, settling, accepted, at)
  return all.map(() => null)
}

/** Whether the transaction must be read. The others need only the claimed row, and must still be in the queue. */
const needsRecord = ({ row, finding }: Found): boolean =>
  finding.is === 'accepted' ? finding.broadcast || row.acceptedAt !== null : finding.is !== 'unknown'

/** A withdrawal that the wallet service has accepted, and that is not final. */
interface Accepted {
  row: ClaimedWork
  finding: Extract<Finding, { is: 'accepted' }>
  /** Undefined where it is not needed. */
  record: QueuedTransaction | undefined
}

async function settleAccepted(tx: Tx, { queue, retry }: Settling, all: readonly Accepted[], at: Date): Promise<void> {
  const sent = all.flatMap(({ row, record, finding: { broadcast, txHash } }) =>
    record && broadcast && !wasTold(row, record.work) ? [{ record, txHash }] : [],
  )
  const begun = await noteBroadcast(tx, sent, at)
  // An answer has no mark: it makes the mark of the last event obsolete.
  const isOther = ({ record, txHash }: Sent) => txHash !== null && normalHash(record.network, txHash) !== record.txHash
  const others = sent.filter((each) => isOther(each) && each.record.work.toldEpoch !== null)
  await noteTold(
    tx,
    others.map(({ record: { id: transactionId } }) => ({ transactionId, toldEpoch: null, toldVersion: null })),
  )
  // A withdrawal that takes long may wait for an obstacle to its signature.
  const long = all.flatMap(({ row, record, finding }) =>
    record && row.acceptedAt && !finding.broadcast ? [record] : [],
  )
  const obstacles = await obstaclesOf(tx, long)
  const waits = new Map(long.map(({ id }, i) => [id, obstacles[i]?.reason ?? null]))
  await queue.rescheduleAll(
    tx,
    all.map(({ row, finding }) => {
      const { transactionId: id } = row
      const attempts = begun.has(id) || row.acceptedAt === null ? 0 : row.attempts + 1
      const error = finding.waitsFor ?? waits.get(id) ?? null
      return { row, why: { now: at, error, attempts, atLeastMs: patientMs(retry, attempts) } }
    }),
  )
  const isNew = ({ row }: Accepted) => row.acceptedAt === null
  await noteAccepted(
    tx,
    all.filter(isNew).map(({ row: { transactionId } }) => ({ transactionId, acceptedAt: at })),
  )
}

/**
 * Applies the wallet service's events about different withdrawals, as far as events are believed; for the others the
 * wallet service is asked at once. Returns, by event, whether it is asked. An event about a payment of a withdrawal
 * that is not in the queue has it checked if it failed here.
 */
export async function applyWalletEvents(
  tx: Tx,
  events: readonly Told[],
  { now, areClosed }: { now: Date; areClosed: boolean },
): Promise<boolean[]> {
  const queued = await queuedTransactions(
    tx,
    events.map(({ id }) => id),
  )
  const paid: (Ending & { txHash: string })[] = []
  const sent: (Sent & { mark: ChangeMark })[] = []
  const ended: string[] = []
  const asked = new Set<Told>()
  for (const event of events) {
    const { id, status, txHash } = event
    const record = queued.get(id)
    if (record?.work.lane !== 'chain') {
      if (status !== 'failed') ended.push(id)
      continue
    }
    const isUnknown = areClosed || record.work.orderedAt === null
    const verdict = isUnknown ? 'ask' : judgeEvent(heard(record), normal(event, record))
    if (verdict === 'ask') {
      asked.add(event)
      await wakeWork(tx, id, now)
    }
    if (verdict !== 'believe' || txHash === null) continue
    if (status === 'confirmed') paid.push({ transaction: record, txHash })
    else sent.push({ record, txHash, mark: event })
  }
  await completeApproved(tx, paid, now)
  await noteBroadcast(tx, sent, now)
  await noteTold(
    tx,
    sent.map(({ record: { id }, mark: { epoch, version } }) => ({
      transactionId: id,
      toldEpoch: epoch,
      toldVersion: version,
    })),
  )
  await wakeRecheck(tx, ended, now)
  return events.map((event) => asked.has(event))
}

type Told = ToldState & ChangeMark

const heard = ({ work: job, txHash }: QueuedTransaction): HeardOrder => ({
  status: txHash === null ? 'accepted' : 'broadcast',
  txHash,
  told: markOf(job),
})

const normal = (event: Told, { network }: QueuedTransaction): Told => ({
  ...event,
  txHash: event.txHash === null ? null : normalHash(network, event.txHash),
})

/**
 * The pause before an accepted withdrawal is asked about: an event tells any news. Asking is for lost events, and must
 * not add to the load of a service that is behind.
 */
const patientMs = ({ firstMs, longestMs }: RetryTuning, attempts: number): number =>
  doubling(5 * firstMs, longestMs).pauseMs(Math.max(1, attempts))

/** A withdrawal that another run has ended must be COMPLETED: the money has left. */
async function requireCompleted(tx: Tx, id: string): Promise<void> {
  const { status } = await transactionById(tx, id)
  if (status !== 'COMPLETED') throw new Error(`The wallet service confirmed withdrawal ${id}, which is ${status} here`)
}

const idsOf = (all: readonly { row: ClaimedWork }[]): string[] => all.map(({ row }) => row.transactionId)

interface Sent {
  record: QueuedTransaction
  txHash: string | null
}

/**
 * Stores the hashes of broadcast withdrawals, ends their execution and begins their confirmation. Returns the ids whose
 * confirmation this has begun.
 */
async function noteBroadcast(tx: Tx, sent: readonly Sent[], at: Date): Promise<Set<string>> {
  const changed = sent.flatMap(({ record, txHash }) => {
    const phases = phasesOf(record)
    const isKnown = phases.some((phase) => phase.name === 'confirmation')
    const hash = txHash === null ? record.txHash : normalHash(record.network, txHash)
    if (isKnown && hash === record.txHash) return []
    const ended = isKnown ? phases : endPhases(phases, ['execution'], 'COMPLETED', at, null)
    const confirming = startPhase(ended, 'confirmation', at)
    return [{ id: record.id, txHash: hash, phases: confirming, updatedAt: at, isKnown }]
  })
  await updateBroadcast(tx, changed)
  // Indexed here, because the index follows the journal, and this adds no entry.
  await addKeys(
    tx,
    changed.flatMap(({ id, txHash }) => (txHash === null ? [] : [{ transactionId: id, text: txHash }])),
  )
  return new Set(changed.flatMap(({ id, isKnown }) => (isKnown ? [] : [id])))
}

const noteAccepted = updateAll(work, 'transactionId', ['acceptedAt'])
const noteTold = updateAll(work, 'transactionId', ['toldEpoch', 'toldVersion'])
const updateBroadcast = updateAll(
  transactions,
  'id',
  ['txHash', 'phases', 'updatedAt'],
  sql`${transactions.status} = 'APPROVED'`,
)
