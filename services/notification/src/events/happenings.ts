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
export function ofTransaction({ id, type, status, amount, assetCode, participantId }: TransactionState): EventData {
  const named = participantIn(participantId)
  return {
    transactionId: id,
    type,
    status,
    amount,
    currency: assetCode,
    fromParticipant: type === 'DEPOSIT' ? null : named,
    toParticipant: type === 'DEPOSIT' ? named : null,
  }
}

/** The ledger takes any text from its callers: what is no id names no participant. */
const participantIn = (given: string | null): string | null =>
  given !== null && isUuid(given) ? given.toLowerCase() : null
