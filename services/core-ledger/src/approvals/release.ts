import type { Tx } from '@bursar/store'
import { type DecisionRow, decisionsOf, recordDecision } from '../decisions/decisions'
import type { DecisionKind } from '../decisions/decisions.table'
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
export async function releaseDeposit(tx: Tx, id: string, { persons, ...act }: Approval, now: Date): Promise<Approved> {
  const transaction = requireInSuspense(await transactionById(tx, id), 'released')
  const { id: ownId } = transaction
  await requireNotReturned(tx, ownId)
  const obstacle = await obstacleOf(tx, transaction)
  if (obstacle) throw fail('RELEASE_REFUSED', { message: obstacle.reason })
  const made = persons === 'one' ? [] : await decisionsOf(tx, ownId)
  const isProposed = await isFirstOfTwo(tx, ownId, { persons, ...act }, made, {
    open: openSince(made, 'RELEASE_PROPOSED'),
    decision: 'RELEASE_PROPOSED',
    now,
  })
  if (isProposed) return { transaction, isProposed }
  await recordDecision(tx, ownId, 'RELEASED', act, now)
  const released = await move(tx, transaction, 'COMPLETED', { at: now, detail: act.note ?? null })
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

/** The open proposals of this kind since the last return failed. */
export function openSince(made: readonly DecisionRow[], proposal: DecisionKind): DecisionRow[] {
  const last = made.findLastIndex(({ decision }) => decision === 'RETURNED')
  return made.slice(last + 1).filter(({ decision }) => decision === proposal)
}
