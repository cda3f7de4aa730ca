import type { Tx } from '@bursar/store'
import { recordDecision } from '../decisions/decisions'
import { fail } from '../errors'
import { move } from '../movements/move'
import { obstacleOf } from '../movements/obstacle'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import { isInSuspense, requireNotReturned } from '../movements/returns'
import { type Approval, isFirstOfTwo } from './four-eyes'
import type { Approved } from './review'

/**
 * REJECTED or FAILED → COMPLETED: credits a deposit in suspense after all, for the given reason; or, for the first of
 * two persons, records a proposal that changes nothing else. Fails with 400 for any other transaction, and while an
 * obstacle prevents the credit; with four eyes, as approving does.
 */
export async function releaseDeposit(tx: Tx, id: string, approval: Approval, now: Date): Promise<Approved> {
  const transaction = requireInSuspense(await transactionById(tx, id), 'released')
  const { id: ownId } = transaction
  await requireNotReturned(tx, ownId)
  const obstacle = await obstacleOf(tx, transaction)
  if (obstacle) throw fail('RELEASE_REFUSED', { message: obstacle.reason })
  const isProposed = await isFirstOfTwo(tx, ownId, approval, 'RELEASE_PROPOSED', now)
  if (isProposed) return { transaction, isProposed }
  await recordDecision(tx, ownId, 'RELEASED', approval, now)
  const released = await move(tx, transaction, 'COMPLETED', { at: now, detail: approval.note ?? null })
  return { transaction: released, isProposed }
}

/** Fails with 400 unless it is a deposit in suspense, which a person must release or return. */
export function requireInSuspense(transaction: TransactionRecord, what: 'released' | 'returned'): TransactionRecord {
  const { id, type, status } = transaction
  if (isInSuspense(transaction)) return transaction
  if (type !== 'DEPOSIT') {
    throw fail('WRONG_TYPE', { message: `Transaction ${id} is a ${type.toLowerCase()}, not a deposit` })
  }
  throw fail('ILLEGAL_MOVE', {
    message: `Transaction ${id} is ${status}; only a REJECTED or FAILED one can be ${what}`,
  })
}
