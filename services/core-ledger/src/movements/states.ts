import {
  type PhaseName,
  type TransactionStatus as Status,
  transactionStatuses as statuses,
  type TransactionType,
  transactionTypes,
} from '@bursar/contracts/core-ledger'
import type { TransactionEntryKind } from '../ledger/ledger-accounts'

export { type Status, statuses, type TransactionType, transactionTypes }

/** One allowed change of status. */
export interface Move {
  /** The phases that it ends besides those in progress, and with which status. */
  ends: readonly PhaseName[]
  as: 'COMPLETED' | 'FAILED'
  /** The phase that it begins. */
  begins?: PhaseName
  /** The types that it applies to; all by default. */
  only?: TransactionType
  /** The phase that it reopens: later phases are removed. */
  reopens?: PhaseName
}

/** The state machine: all transitions, from status to status. Any other is refused. */
export const moves: { readonly [from in Status]: { readonly [to in Status]?: Move } } = {
  PENDING: {
    APPROVED: { ends: ['screening'], as: 'COMPLETED', begins: 'execution' },
    FROZEN: { ends: ['screening'], as: 'FAILED', begins: 'review' },
  },
  FROZEN: {
    APPROVED: { ends: ['review'], as: 'COMPLETED', begins: 'execution' },
    REJECTED: { ends: ['review'], as: 'FAILED' },
  },
  APPROVED: {
    COMPLETED: { ends: ['execution', 'confirmation'], as: 'COMPLETED' },
    FAILED: { ends: ['execution'], as: 'FAILED' },
    // Its destination was listed before it was signed: a person decides (rescreening).
    FROZEN: { only: 'WITHDRAWAL', reopens: 'screening', ends: ['screening'], as: 'FAILED', begins: 'review' },
  },
  COMPLETED: {},
  // An operator releases a deposit from suspense.
  REJECTED: { COMPLETED: { only: 'DEPOSIT', ends: ['execution'], as: 'COMPLETED' } },
  FAILED: { COMPLETED: { only: 'DEPOSIT', reopens: 'execution', ends: ['execution'], as: 'COMPLETED' } },
}

type EntryByStatus = { readonly [status in Status]?: TransactionEntryKind }

/** Which entry a transaction posts on reaching a status; with none the money stays where it is. */
export const entries: { readonly [type in TransactionType]: EntryByStatus } = {
  // Rejected or failed, a deposit stays in suspense: it is never sent back by itself.
  DEPOSIT: { PENDING: 'arrival', COMPLETED: 'credit' },
  WITHDRAWAL: { PENDING: 'hold', COMPLETED: 'settlement', REJECTED: 'release', FAILED: 'release' },
  TRANSFER: { PENDING: 'hold', COMPLETED: 'delivery', REJECTED: 'release', FAILED: 'release' },
}

/** Entries of a withdrawal that returns a deposit: its amount comes from suspense, not from an account. */
const returnEntries: EntryByStatus = {
  PENDING: 'return-hold',
  COMPLETED: 'return',
  REJECTED: 'return-release',
  FAILED: 'return-release',
}

/** The fields of a transaction that decide its entries. */
export interface Posted {
  type: TransactionType
  /** The deposit that it returns; null for any other transaction. */
  returns: string | null
}

/** The entry that a transaction posts on reaching a status. */
export const entryAt = ({ type, returns }: Posted, status: Status): TransactionEntryKind | undefined =>
  (returns === null ? entries[type] : returnEntries)[status]

/** Exactly the entries that a transaction in this status has posted. */
export function entriesUntil(of: Posted, status: Status): TransactionEntryKind[] {
  const last = status === 'PENDING' ? undefined : entryAt(of, status)
  return [entryAt(of, 'PENDING'), last].filter((kind) => kind !== undefined)
}
