import type { TransactionType } from '@bursar/contracts/core-ledger'

/** What an entry of a transaction does. */
export type TransactionEntryKind =
  | 'arrival'
  | 'credit'
  | 'hold'
  | 'release'
  | 'settlement'
  | 'delivery'
  | 'return-hold'
  | 'return-release'
  | 'return'
/** Of a movement on a chain that no transaction of the ledger's made: of a portfolio, or a fee that the platform paid. */
export type MovementEntryKind = 'execution' | 'fee'
/** What an entry of the journal does. */
export type EntryKind = TransactionEntryKind | MovementEntryKind

/** An account of the journal: a customer account's available or frozen part, or one of the ledger's own. */
export type LedgerAccount =
  | `available:${string}`
  | `frozen:${string}`
  | `suspense:${string}`
  | `returning:${string}`
  | `fees:${string}`
  | `world:${string}`

/** What of a transaction decides between which ledger accounts its amount moves. */
export interface Movable {
  type: TransactionType
  accountId: string
  toAccountId: string | null
  network: string
}

/** Between which ledger accounts each kind of entry moves a transaction's amount. */
export const sidesOf: Record<TransactionEntryKind, (of: Movable) => { debit: LedgerAccount; credit: LedgerAccount }> = {
  /** A deposit came in, and belongs to no account yet. */
  arrival: ({ network }) => ({ debit: `world:${network}`, credit: `suspense:${network}` }),
  /** A deposit becomes its account's. */
  credit: ({ network, accountId }) => ({ debit: `suspense:${network}`, credit: `available:${accountId}` }),
  /** What goes out is set aside. */
  hold: ({ accountId }) => ({ debit: `available:${accountId}`, credit: `frozen:${accountId}` }),
  /** What was set aside is given back. */
  release: ({ accountId }) => ({ debit: `frozen:${accountId}`, credit: `available:${accountId}` }),
  /** A withdrawal has left. */
  settlement: ({ accountId, network }) => ({ debit: `frozen:${accountId}`, credit: `world:${network}` }),
  /** A transfer arrives at its receiver. */
  delivery: ({ accountId, toAccountId }) => ({
    debit: `frozen:${accountId}`,
    credit: `available:${toAccountId ?? ''}`,
  }),
  /** A deposit in suspense is set aside, to be sent back. */
  'return-hold': ({ network }) => ({ debit: `suspense:${network}`, credit: `returning:${network}` }),
  /** It was not sent: it is in suspense again. */
  'return-release': ({ network }) => ({ debit: `returning:${network}`, credit: `suspense:${network}` }),
  /** It has left. */
  return: ({ network }) => ({ debit: `returning:${network}`, credit: `world:${network}` }),
}

/** Whether an entry is its transaction's first, with which it is made. */
export const isFirst = (kind: EntryKind): boolean => kind === 'arrival' || kind === 'hold' || kind === 'return-hold'

/** What of a movement decides between which ledger accounts it moves. */
export interface Moved {
  kind: 'in' | 'out' | 'fee'
  accountId: string | null
  network: string
}

/** The same for a movement's entry; undefined for a kind of entry that it cannot have. */
export function sidesOfMovement(
  entry: EntryKind,
  { kind, accountId, network }: Moved,
): { debit: LedgerAccount; credit: LedgerAccount } | undefined {
  if (entry === 'fee' && kind === 'fee') return { debit: `fees:${network}`, credit: `world:${network}` }
  if (entry !== 'execution' || accountId === null) return undefined
  if (kind === 'in') return { debit: `world:${network}`, credit: `available:${accountId}` }
  return { debit: `available:${accountId}`, credit: `world:${network}` }
}
