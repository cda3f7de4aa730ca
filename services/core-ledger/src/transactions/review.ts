import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { move } from './move'
import { type TransactionRecord, transactionById } from './read-transactions'
import type { TransactionType } from './states'

/** Which routes review which types: a transfer is reviewed as a withdrawal is (decisions, Deposits and transfers). */
export type ReviewedKind = 'deposit' | 'withdrawal'

const typesOf: Record<ReviewedKind, readonly TransactionType[]> = {
  deposit: ['DEPOSIT'],
  withdrawal: ['WITHDRAWAL', 'TRANSFER'],
}

/** The reason of a rejection that came without one. */
const noReason = 'Rejected by manual review'

/** FROZEN → APPROVED, and into the queue of work. Fails when it is not FROZEN, or of the other kind. */
export async function approveFrozen(
  tx: Tx,
  id: string,
  kind: ReviewedKind,
  now = new Date(),
): Promise<TransactionRecord> {
  const transaction = reviewable(await transactionById(tx, id), kind)
  return await move(tx, transaction, 'APPROVED', { at: now })
}

/** FROZEN → REJECTED; what was held is released. Fails as approving does. */
export async function rejectFrozen(
  tx: Tx,
  id: string,
  kind: ReviewedKind,
  reason: string | null | undefined,
  now = new Date(),
): Promise<TransactionRecord> {
  const transaction = reviewable(await transactionById(tx, id), kind)
  const rejectionReason = reason?.trim() || noReason
  return await move(tx, transaction, 'REJECTED', { at: now, detail: rejectionReason, rejectionReason })
}

function reviewable(transaction: TransactionRecord, kind: ReviewedKind): TransactionRecord {
  const { id, type, status } = transaction
  if (!typesOf[kind].includes(type)) {
    throw fail('WRONG_TYPE', { message: `Transaction ${id} is a ${type.toLowerCase()}, not a ${kind}` })
  }
  if (status !== 'FROZEN') {
    throw fail('ILLEGAL_MOVE', { message: `Transaction ${id} is ${status}; only a FROZEN one can be reviewed` })
  }
  return transaction
}
