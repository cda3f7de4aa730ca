import {
  type PaymentStatus,
  type PaymentType,
  paymentStatuses as statuses,
  paymentTypes as types,
} from '@bursar/contracts/transaction-manager'

export { type PaymentStatus, type PaymentType, statuses, types }

type Moves = { readonly [from in PaymentStatus]: readonly PaymentStatus[] }

/**
 * Money that leaves a participant: somebody approves it, then it is paid. Once it is PROCESSING the bank has the order:
 * it can no longer be cancelled.
 */
const outgoing: Moves = {
  PENDING: ['IN_REVIEW', 'APPROVED', 'REJECTED', 'CANCELLED'],
  IN_REVIEW: ['APPROVED', 'REJECTED', 'CANCELLED'],
  APPROVED: ['PROCESSING', 'CANCELLED', 'FAILED'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  REJECTED: [],
  CANCELLED: [],
  FAILED: [],
}

/**
 * Money that comes in: the custodian bank completes it when the wire arrives, straight from PENDING, or after a review.
 * One that never arrives has FAILED.
 */
const incoming: Moves = {
  ...outgoing,
  PENDING: ['IN_REVIEW', 'APPROVED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED'],
  APPROVED: ['PROCESSING', 'COMPLETED', 'CANCELLED', 'FAILED'],
}

/**
 * The state table: every move there is, by type and status (decisions, Transaction manager states). What is not here
 * cannot happen. Every payment begins as PENDING.
 */
export const moves: { readonly [type in PaymentType]: Moves } = {
  DEPOSIT: incoming,
  DO_DEPOSIT: incoming,
  INTERNAL_DEPOSIT: incoming,
  WITHDRAWAL: outgoing,
  TRANSFER: outgoing,
}

/** What a status makes of the credit lines of a payment's participants (credit-lines/credit-lines.ts). */
export const creditEffects: { readonly [status in PaymentStatus]?: 'settle' | 'release' } = {
  COMPLETED: 'settle',
  REJECTED: 'release',
  CANCELLED: 'release',
  FAILED: 'release',
}

/** Within a kind no two payments have the same reference: it names the payment in the kind's paths. */
export const kinds = ['deposit', 'do-deposit', 'withdrawal', 'transfer'] as const
export type PaymentKind = (typeof kinds)[number]

export const kindOf: { readonly [type in PaymentType]: PaymentKind } = {
  DEPOSIT: 'deposit',
  INTERNAL_DEPOSIT: 'deposit',
  DO_DEPOSIT: 'do-deposit',
  WITHDRAWAL: 'withdrawal',
  TRANSFER: 'transfer',
}
