import { PaymentMoved } from '@bursar/contracts/transaction-manager'
import { and, emit, eq, param, prepared, type Tx } from '@bursar/store'
import { heldParty } from '../banks/held-party'
import { release, repay, settle } from '../credit-lines/credit-lines'
import { fail } from '../errors'
import type { BankDetails } from '../fields/bank-codes'
import { noteMoves } from './fold-counts'
import { lastMove, writeHistory } from './history'
import { findByHash, normalHash, type PaymentRow, paymentRecords, toPaymentRecord } from './payments'
import { payments } from './payments.table'
import { creditEffects, moves, type PaymentStatus } from './states'

/** A requested change of status. */
export interface Step {
  status: PaymentStatus
  /** The caller; null for an anonymous one. */
  by: string | null
  comment?: string | null | undefined
  /** The bank's or chain's hash, if known. */
  transactionHash?: string | undefined
  /** The destination of a withdrawal as the caller read it. */
  destinationAccount?: BankDetails | undefined
}

/**
 * Changes a payment's status: the row (compare-and-set on the status it was read with), its history, the credit lines
 * of its participants and its event, in one commit. Setting the same status again by the same caller changes nothing,
 * so that a request may be repeated. Fails (409) when the state table has no such transition, another request came
 * first, the destination is not the one that the caller read, or one of its participants is held.
 */
export async function movePayment(tx: Tx, payment: PaymentRow, step: Step, now: Date): Promise<PaymentRow> {
  const { status: from } = payment
  const { status: to } = step
  // Of a repeat as well: what it approves would be another destination.
  requireDestination(payment, step.destinationAccount)
  if (from === to && (await isRepeat(tx, payment, step))) return payment
  if (!moves[payment.type][from].includes(to)) throw illegal(payment, to)
  await requireNoneHeld(tx, payment, to)
  const transactionHash = await hashAfter(tx, payment, step.transactionHash)
  const row: PaymentRow = { ...payment, status: to, transactionHash, updatedAt: now }
  const [written] = await compareAndSet(tx).execute({ ...row, from })
  if (!written) throw illegal(payment, to)
  const comment = step.comment ?? null
  await writeHistory(tx, [{ row, fromStatus: from, by: step.by, comment, now }])
  await noteMoves(tx, [row], from)
  await moveCredit(tx, row, now)
  const mark = await paymentRecords.mark(tx, row.id)
  await emit(tx, PaymentMoved, { v: 1, ...toPaymentRecord(row), previous: from, comment, ...mark }, now)
  return row
}

/** A destination that was changed between the caller's reading and this step was reviewed by nobody. */
function requireDestination({ id, bankDetails }: PaymentRow, read: BankDetails | undefined): void {
  if (!read) return
  const fields = ['accountNumber', 'routingNumber', 'bankName'] as const
  if (fields.every((field) => read[field] === bankDetails?.[field])) return
  throw fail('CONFLICT', { message: `Transaction ${id} has another destinationAccount: read it again` })
}

/** The statuses that bring a payment closer to completion. */
const forward: readonly PaymentStatus[] = ['APPROVED', 'PROCESSING', 'COMPLETED']

/**
 * A payment with a paused, offboarded or deleted participant on either side does not proceed: an operator ends it,
 * or it waits. A payment at the bank cannot be stopped: its outcome is recorded.
 */
async function requireNoneHeld(tx: Tx, payment: PaymentRow, to: PaymentStatus): Promise<void> {
  const { id, status, fromParticipantId, toParticipantId } = payment
  if (status === 'PROCESSING' || !forward.includes(to)) return
  const held = await heldParty(tx, fromParticipantId, toParticipantId)
  if (!held) return
  throw fail('CONFLICT', {
    message: `Transaction ${id} waits as ${status}, for its participant ${held.name} is ${held.state}: it can be ended, or continues once the participant is active again`,
  })
}

/** A payment's hash after this change: a known hash stays. 409 for a different one, and for another payment's. */
export async function hashAfter(tx: Tx, payment: PaymentRow, given: string | undefined): Promise<string | null> {
  const known = payment.transactionHash
  if (given === undefined || normalHash(given) === known) return known
  if (known !== null) throw fail('CONFLICT', { message: `Transaction ${payment.id} has the transactionHash ${known}` })
  const other = await findByHash(tx, given)
  if (other) throw fail('CONFLICT', { message: `Transaction ${other.id} has this transactionHash` })
  return normalHash(given)
}

async function isRepeat(tx: Tx, payment: PaymentRow, { by, transactionHash }: Step): Promise<boolean> {
  if (transactionHash !== undefined && normalHash(transactionHash) !== payment.transactionHash) return false
  return (await lastMove(tx, payment.id))?.movedBy === by
}

/** Applies the new status to the credit lines (credit-lines/credit-lines.ts). */
async function moveCredit(tx: Tx, row: PaymentRow, now: Date): Promise<void> {
  const effect = creditEffects[row.status]
  if (!effect) return
  const movement = { paymentId: row.id, currency: row.currency, amount: row.amount }
  if (row.usesCredit && row.fromParticipantId) {
    await (effect === 'settle' ? settle : release)(tx, { ...movement, participantId: row.fromParticipantId }, now)
  }
  if (effect === 'settle' && row.toParticipantId) {
    await repay(tx, { ...movement, participantId: row.toParticipantId }, now)
  }
}

const illegal = ({ id, type, status }: PaymentRow, to: PaymentStatus) =>
  fail('CONFLICT', {
    message:
      status === to
        ? `Transaction ${id} is already ${status}`
        : `Transaction ${id} is a ${type} that is ${status} and cannot become ${to}`,
  })

const compareAndSet = prepared((db) =>
  db
    .update(payments)
    .set({ status: param('status'), transactionHash: param('transactionHash'), updatedAt: param('updatedAt') })
    .where(and(eq(payments.id, param('id')), eq(payments.status, param('from'))))
    .returning({ id: payments.id }),
)
