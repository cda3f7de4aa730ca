import type { Payment, PaymentStatus, PaymentType } from './payment'

export const statuses = [
  'PENDING',
  'IN_REVIEW',
  'APPROVED',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'CANCELLED',
  'FAILED',
] as const satisfies readonly PaymentStatus[]

export const typeWords: Record<PaymentType, string> = {
  DEPOSIT: 'Deposit',
  WITHDRAWAL: 'Withdrawal',
  TRANSFER: 'Transfer',
  DO_DEPOSIT: 'Obligation deposit',
  INTERNAL_DEPOSIT: 'Internal deposit',
}

type Moves = { readonly [from in PaymentStatus]: readonly PaymentStatus[] }

const outgoing: Moves = {
  PENDING: ['APPROVED', 'IN_REVIEW', 'REJECTED', 'CANCELLED'],
  IN_REVIEW: ['APPROVED', 'REJECTED', 'CANCELLED'],
  APPROVED: ['PROCESSING', 'CANCELLED', 'FAILED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  REJECTED: [],
  CANCELLED: [],
  FAILED: [],
}
const incoming: Moves = {
  ...outgoing,
  PENDING: ['COMPLETED', 'APPROVED', 'IN_REVIEW', 'REJECTED', 'CANCELLED', 'FAILED'],
  APPROVED: ['COMPLETED', 'PROCESSING', 'CANCELLED', 'FAILED'],
}

/** The possible next states of a payment, the usual one first. Only for the buttons: the service decides again. */
export const movesOf = ({ type, status }: Pick<Payment, 'type' | 'status'>): readonly PaymentStatus[] =>
  (type === 'WITHDRAWAL' || type === 'TRANSFER' ? outgoing : incoming)[status]

/** The next states that are possible for all of them. */
export const commonMoves = (of: readonly Payment[]): readonly PaymentStatus[] => {
  const [first, ...others] = of
  return first ? movesOf(first).filter((to) => others.every((each) => movesOf(each).includes(to))) : []
}

/** A participant takes back its own transfer while it can be cancelled. */
export const ownMovesOf = (
  payment: Pick<Payment, 'type' | 'status' | 'from'>,
  own: string,
): readonly PaymentStatus[] =>
  payment.type === 'TRANSFER' && payment.from?.participantId === own
    ? movesOf(payment).filter((to) => to === 'CANCELLED')
    : []
