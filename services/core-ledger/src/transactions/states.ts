import type { LogWording } from '@bursar/contracts/event'
import type { EntryKind } from '../bookkeeping/ledger-accounts'
import type { PhaseName } from './phases'

/** Spec 2, States and transitions. */
export const statuses = ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] as const
export type Status = (typeof statuses)[number]

export const transactionTypes = ['DEPOSIT', 'WITHDRAWAL', 'TRANSFER'] as const
export type TransactionType = (typeof transactionTypes)[number]

/** One allowed change of status. */
export interface Move {
  /** Which phases it ends (besides all that are in progress), and how. */
  ends: readonly PhaseName[]
  as: 'COMPLETED' | 'FAILED'
  /** Which phase it begins. */
  begins?: PhaseName
  /** How the log tracker hears of it (decisions, Tracker events). */
  log: Pick<LogWording, 'event_type' | 'status'> & { action: string }
}

/** The state machine: every move there is, from its status to the next. What is not here cannot happen. */
export const moves: { readonly [from in Status]: { readonly [to in Status]?: Move } } = {
  PENDING: {
    APPROVED: {
      ends: ['screening'],
      as: 'COMPLETED',
      begins: 'execution',
      log: { event_type: 'TRANSACTION_CREATED', status: 'PENDING', action: 'screening_approved' },
    },
    FROZEN: {
      ends: ['screening'],
      as: 'FAILED',
      begins: 'review',
      log: { event_type: 'TRANSACTION_CREATED', status: 'PENDING', action: 'frozen' },
    },
  },
  FROZEN: {
    APPROVED: {
      ends: ['review'],
      as: 'COMPLETED',
      begins: 'execution',
      log: { event_type: 'TRANSACTION_CREATED', status: 'PENDING', action: 'review_approved' },
    },
    REJECTED: {
      ends: ['review'],
      as: 'FAILED',
      log: { event_type: 'TRANSACTION_CANCELLED', status: 'FAILURE', action: 'review_rejected' },
    },
  },
  APPROVED: {
    COMPLETED: {
      ends: ['execution', 'confirmation'],
      as: 'COMPLETED',
      log: { event_type: 'TRANSACTION_COMPLETED', status: 'SUCCESS', action: 'completed' },
    },
    FAILED: {
      ends: ['execution'],
      as: 'FAILED',
      log: { event_type: 'TRANSACTION_FAILED', status: 'FAILURE', action: 'failed' },
    },
  },
  COMPLETED: {},
  REJECTED: {},
  FAILED: {},
}

/** Which entry a transaction posts on reaching a status; with none the money stays where it is. */
export const entries: { readonly [type in TransactionType]: { readonly [status in Status]?: EntryKind } } = {
  // Rejected or failed, a deposit stays in suspense: it is never sent back by itself.
  DEPOSIT: { PENDING: 'arrival', COMPLETED: 'credit' },
  WITHDRAWAL: { PENDING: 'hold', COMPLETED: 'settlement', REJECTED: 'release', FAILED: 'release' },
  TRANSFER: { PENDING: 'hold', COMPLETED: 'delivery', REJECTED: 'release', FAILED: 'release' },
}

/** The entries that a transaction in this status has posted by now, and no others. */
export function entriesUntil(type: TransactionType, status: Status): EntryKind[] {
  const first = entries[type].PENDING
  const last = status === 'PENDING' ? undefined : entries[type][status]
  return [first, last].filter((kind) => kind !== undefined)
}
