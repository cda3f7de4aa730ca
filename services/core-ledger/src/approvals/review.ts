import type { Tx } from '@bursar/store'
import { type Act, recordDecision } from '../decisions/decisions'
import { fail } from '../errors'
import { move } from '../movements/move'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import type { TransactionType } from '../movements/states'
import { noteAcceptedBefore } from '../withdrawals/rescreening'
import { type Approval, isFirstOfTwo } from './four-eyes'

/** The types that each route reviews: a transfer is reviewed like a withdrawal (decisions, Deposits and transfers). */
export type ReviewedKind = 'deposit' | 'withdrawal'

const typesOf: Record<ReviewedKind, readonly TransactionType[]> = {
  deposit: ['DEPOSIT'],
  withdrawal: ['WITHDRAWAL', 'TRANSFER'],
}

/** The reason of a rejection without one. */
export const noReason = 'Rejected by manual review'

/** How an approval ended. */
export interface Approved {
  transaction: TransactionRecord
  /** True for the first of two approvals: the transaction stays FROZEN. */
  isProposed: boolean
}

/**
 * FROZEN → APPROVED, and into the execution queue; or, for the first of two persons, a proposal that changes nothing
 * else. Fails with 400 unless it is FROZEN and of this kind; with four eyes, with 403 unless the caller is a verified
 * user, and 409 for the person who proposed or entered it. When a withdrawal was frozen again, decisions of the earlier
 * review do not count.
 */
export async function approveFrozen(
  tx: Tx,
  id: string,
  kind: ReviewedKind,
  approval: Approval,
  now: Date,
): Promise<Approved> {
  const transaction = reviewable(await transactionById(tx, id), kind)
  if (transaction.returns !== null && !approval.mayBePaid) throw unscreened(transaction)
  if (await isFirstOfTwo(tx, transaction.id, approval, 'PROPOSED', now)) return { transaction, isProposed: true }
  await recordDecision(tx, transaction.id, 'APPROVED', approval, now)
  const approved = await move(tx, transaction, 'APPROVED', { at: now })
  await noteAcceptedBefore(tx, approved.id, now)
  return { transaction: approved, isProposed: false }
}

/** FROZEN → REJECTED by one person, also after a proposal; the hold is released. Fails as approving does. */
export async function rejectFrozen(
  tx: Tx,
  id: string,
  kind: ReviewedKind,
  act: Act,
  now: Date,
): Promise<TransactionRecord> {
  const transaction = reviewable(await transactionById(tx, id), kind)
  const rejectionReason = act.note?.trim() || noReason
  await recordDecision(tx, transaction.id, 'REJECTED', act, now)
  return await move(tx, transaction, 'REJECTED', { at: now, detail: rejectionReason, rejectionReason })
}

/**
 * APPROVED → FAILED by a person, for `reason`; the act's note is that person's own text. A repeat changes nothing. The
 * caller has ensured that it is not paid (fail-approved.ts).
 */
export async function failApproved(
  tx: Tx,
  id: string,
  reason: string,
  act: Act,
  now: Date,
): Promise<TransactionRecord> {
  const transaction = await transactionById(tx, id)
  if (transaction.status === 'FAILED') return transaction
  const failed = await move(tx, transaction, 'FAILED', { at: now, detail: reason, failureReason: reason })
  await recordDecision(tx, failed.id, 'FAILED', act, now)
  return failed
}

/** Nothing is sent to a listed address: a person cannot overrule the screening. */
const unscreened = ({ id }: TransactionRecord) =>
  fail('ILLEGAL_MOVE', {
    message:
      `Transaction ${id} returns a deposit to an address that has not passed its screening, and cannot be approved: ` +
      'reject it, and return the deposit once the address passes',
  })

function reviewable(transaction: TransactionRecord, kind: ReviewedKind): TransactionRecord {
  const { id, type } = transaction
  if (!typesOf[kind].includes(type)) {
    throw fail('WRONG_TYPE', { message: `Transaction ${id} is a ${type.toLowerCase()}, not a ${kind}` })
  }
  return requireFrozen(transaction)
}

/** Fails with 400 when it is not FROZEN. */
export function requireFrozen(transaction: TransactionRecord): TransactionRecord {
  const { id, status } = transaction
  if (status === 'FROZEN') return transaction
  throw fail('ILLEGAL_MOVE', { message: `Transaction ${id} is ${status}; only a FROZEN one can be reviewed` })
}
