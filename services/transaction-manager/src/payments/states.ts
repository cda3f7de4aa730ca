import {
  type PaymentStatus,
  type PaymentType,
  paymentStatuses as statuses,
  paymentTypes as types,
} from '@bursar/contracts/transaction-manager'

export { type PaymentStatus, type PaymentType, statuses, types }

type Moves = { readonly [from in PaymentStatus]: readonly PaymentStatus[] }

/**
 * Outgoing money is approved, then paid. Once it is PROCESSING the bank has the order, and
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
 * Incoming money is completed by the custodian bank when the wire arrives, directly from PENDING, or after a review.
 * If it never arrives it has FAILED.
 */
const incoming: Moves = {
  ...outgoing,
  PENDING: ['IN_REVIEW', 'APPROVED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED'],
  APPROVED: ['PROCESSING', 'COMPLETED', 'CANCELLED', 'FAILED'],
}

/**
 * The state table: all transitions, by type and status (decisions, Transaction manager states). Any other
 * transition is refused. Every payment begins as PENDING.
 */
export const moves: { readonly [type in PaymentType]: Moves } = {
  DEPOSIT: incoming,
  DO_DEPOSIT: incoming,
  INTERNAL_DEPOSIT: incoming,
  WITHDRAWAL: outgoing,
  TRANSFER: outgoing,
}

/** The effect of a status on the credit lines of a payment's participants (credit-lines/credit-lines.ts). */
export const creditEffects: { readonly [status in PaymentStatus]?: 'settle' | 'release' } = {
  COMPLETED: 'settle',
  REJECTED: 'release',
  CANCELLED: 'release',
  FAILED: 'release',
}

/** References are unique per kind: they identify payments in the kind's paths. */
export const kinds = ['deposit', 'do-deposit', 'withdrawal', 'transfer'] as const
export type PaymentKind = (typeof kinds)[number]

export const kindOf: { readonly [type in PaymentType]: PaymentKind } = {
  DEPOSIT: 'deposit',
  INTERNAL_DEPOSIT: 'deposit',
  DO_DEPOSIT: 'do-deposit',
  WITHDRAWAL: 'withdrawal',
  TRANSFER: 'transfer',
}
