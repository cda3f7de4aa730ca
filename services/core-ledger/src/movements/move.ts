import { and, eq, param, prepared, rowsWritten, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { post } from '../ledger/post'
import { normalHash } from '../networks/networks'
import { obstacleOf } from './obstacle'
import { endPhases, phasesOf, reopenPhase, startPhase } from './phases'
import { type TransactionRecord, transactionById } from './read-transactions'
import { entryAt, moves, type Status } from './states'
import { emitMoved } from './transaction-events'
import { transactions } from './transactions.table'
import { dequeueWork, enqueueWork, watchFailed } from './work'

/** Changes together with a status. */
export interface MoveChange {
  at: Date
  /** The reason, for the ended phase. */
  detail?: string | null
  screeningApproved?: boolean
  screeningData?: Record<string, unknown> | null
  rejectionReason?: string
  failureReason?: string
  txHash?: string
}

/**
 * Moves a transaction to another status: the row (compare-and-set on the status it was read with), its phases, the
 * entry that the status posts, its place in the queue of work and its event.
 * Fails when the state machine has no such move, or when another was faster.
 */
export async function move(
  tx: Tx,
  transaction: TransactionRecord,
  to: Status,
  change: MoveChange,
): Promise<TransactionRecord> {
  const { status: from, id, type } = transaction
  const step = moves[from][to]
  if (!step || (step.only ?? type) !== type) throw illegal(transaction, to)
  const { at, detail = null, ...fields } = change
  const before = step.reopens ? reopenPhase(phasesOf(transaction), step.reopens) : phasesOf(transaction)
  const ended = endPhases(before, step.ends, step.as, at, detail)
  const moved: TransactionRecord = {
    ...transaction,
    ...fields,
    status: to,
    phases: step.begins ? startPhase(ended, step.begins, at) : ended,
    updatedAt: at,
    executedAt: to === 'COMPLETED' ? at : transaction.executedAt,
  }
  const written: unknown = await compareAndSet(tx).execute({ ...moved, from })
  if (rowsWritten(written) === 0) throw illegal(transaction, to)
  const entry = entryAt(transaction, to)
  if (entry) await post(tx, entry, moved, at)
  if (to === 'APPROVED') await enqueueWork(tx, transaction, at)
  if (from === 'APPROVED') await dequeueWork(tx, id)
  if (to === 'FAILED' && type === 'WITHDRAWAL') await watchFailed(tx, id, at)
  await emitMoved(tx, moved, { from, reason: detail, at })
  return moved
}

/** The result of completing or failing: done by this call, done before, or not possible now. */
export type Outcome = 'done' | 'repeated' | 'held'

/**
 * APPROVED → COMPLETED. `repeated` when it was completed before, and nothing is done. `held` for a deposit or transfer
 * with an account or customer that is not active: it stays approved, to be tried again later. Fails from any other
 * status. A withdrawal is completed in any case: its money has left.
 */
export async function completeTransaction(
  tx: Tx,
  id: string,
  { txHash, at }: { txHash?: string; at: Date },
): Promise<Outcome> {
  return await completeRead(tx, await transactionById(tx, id), { ...(txHash === undefined ? {} : { txHash }), at })
}

/** The same, for a transaction that was read in this commit. */
export async function completeRead(
  tx: Tx,
  transaction: TransactionRecord,
  { txHash, at }: { txHash?: string; at: Date },
): Promise<Outcome> {
  if (transaction.status === 'COMPLETED') return 'repeated'
  // Deposits in suspense are handled by release.ts.
  if (transaction.status !== 'APPROVED') throw illegal(transaction, 'COMPLETED')
  if (transaction.type !== 'WITHDRAWAL' && (await obstacleOf(tx, transaction))) return 'held'
  const hash = txHash === undefined ? {} : { txHash: normalHash(transaction.network, txHash) }
  await move(tx, transaction, 'COMPLETED', { at, ...hash })
  return 'done'
}

/**
 * APPROVED → FAILED, for a definite failure alone; what was held is released in the same commit. `repeated` when it
 * failed before. Fails from any other status.
 */
export async function failTransaction(tx: Tx, id: string, reason: string, at: Date): Promise<Outcome> {
  const transaction = await transactionById(tx, id)
  if (transaction.status === 'FAILED') return 'repeated'
  await move(tx, transaction, 'FAILED', { at, detail: reason, failureReason: reason })
  return 'done'
}

const illegal = ({ id, status }: TransactionRecord, to: Status) =>
  fail('ILLEGAL_MOVE', { message: `Transaction ${id} is ${status} and cannot become ${to}` })

const compareAndSet = prepared((db) =>
  db
    .update(transactions)
    .set({
      status: param('status'),
      phases: param('phases'),
      screeningApproved: param('screeningApproved'),
      screeningData: param('screeningData'),
      rejectionReason: param('rejectionReason'),
      failureReason: param('failureReason'),
      txHash: param('txHash'),
      updatedAt: param('updatedAt'),
      executedAt: param('executedAt'),
    })
    .where(and(eq(transactions.id, param('id')), eq(transactions.status, param('from')))),
)
