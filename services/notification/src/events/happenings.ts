import type { TransactionState } from '@bursar/contracts/core-ledger'
import { isUuid } from '@bursar/contracts/schema'
import type { PaymentState, PaymentStatus } from '@bursar/contracts/transaction-manager'
import type { EventData, EventType } from './events.model'

const moves: Partial<Record<PaymentStatus, EventType>> = {
  APPROVED: 'payment.accepted',
  REJECTED: 'payment.rejected',
  COMPLETED: 'payment.executed',
  CANCELLED: 'payment.cancelled',
}

/** The event type for a payment's change to a status (decisions, Notification types). */
export const moveTo = (status: PaymentStatus): EventType => moves[status] ?? 'transaction.status_updated'

export const ofPayment = ({ id, type, status, amount, currency, from, to }: PaymentState): EventData => ({
  transactionId: id,
  type,
  status,
  amount,
  currency,
  fromParticipant: from?.participantId ?? null,
  toParticipant: to?.participantId ?? null,
})

/**
 * The participant of the transaction's account is the payer, or a deposit's payee; that of the receiver's account is
 * the payee.
 */
export function ofTransaction(transaction: TransactionState): EventData {
  const { id, type, status, amount, assetCode, participantId, toParticipantId, returns } = transaction
  const owner = participantIn(participantId)
  return {
    transactionId: id,
    type,
    status,
    amount,
    currency: assetCode,
    fromParticipant: type === 'DEPOSIT' ? null : owner,
    toParticipant: type === 'DEPOSIT' ? owner : participantIn(toParticipantId),
    ...(returns === undefined ? {} : { returns }),
  }
}

/** Older transactions may have any text here: one that is not an id names no participant. */
const participantIn = (given: string | null): string | null =>
  given !== null && isUuid(given) ? given.toLowerCase() : null
