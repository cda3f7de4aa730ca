import type { TransactionState } from '@bursar/contracts/core-ledger'
import type { PaymentState, PaymentStatus } from '@bursar/contracts/transaction-manager'
import type { EventData, EventType } from './events.model'

const moves: Partial<Record<PaymentStatus, EventType>> = {
  APPROVED: 'payment.accepted',
  REJECTED: 'payment.rejected',
  COMPLETED: 'payment.executed',
  CANCELLED: 'payment.cancelled',
}

/** What a payment's move to a status is called here (decisions, Notification types). */
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

/** The participant that the gateway form names is the one that pays, or for a deposit the one that is paid. */
export const ofTransaction = ({ id, type, status, amount, assetCode, participantId }: TransactionState): EventData => ({
  transactionId: id,
  type,
  status,
  amount,
  currency: assetCode,
  fromParticipant: type === 'DEPOSIT' ? null : participantId,
  toParticipant: type === 'DEPOSIT' ? participantId : null,
})
