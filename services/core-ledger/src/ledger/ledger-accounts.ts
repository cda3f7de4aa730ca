import type { TransactionType } from '@bursar/contracts/core-ledger'

/** The effects of entries of transactions. */
export const transactionEntryKinds = [
  'arrival',
  'credit',
  'hold',
  'release',
  'settlement',
  'delivery',
  'return-hold',
  'return-release',
  'return',
] as const
/** The effects of entries of chain movements without a ledger transaction: of a portfolio, or a network fee. */
export const movementEntryKinds = ['execution', 'fee'] as const
export type TransactionEntryKind = (typeof transactionEntryKinds)[number]
export type MovementEntryKind = (typeof movementEntryKinds)[number]
export type EntryKind = TransactionEntryKind | MovementEntryKind

export const isOfMovement = (kind: EntryKind): kind is MovementEntryKind =>
  movementEntryKinds.some((each) => each === kind)

/** What an account of the journal is: a customer account's available or frozen part, or one of the ledger's own. */
export const ledgerParts = ['available', 'frozen', 'suspense', 'returning', 'fees', 'world'] as const
type LedgerPart = (typeof ledgerParts)[number]
export type LedgerAccount = `${LedgerPart}:${string}`

/** The two halves of a ledger account's name. `of`: a customer account's id, or a network. */
export function partsOf(account: LedgerAccount): { part: LedgerPart; of: string } {
  const separator = account.indexOf(':')
  return { part: account.slice(0, separator) as LedgerPart, of: account.slice(separator + 1) }
}

/** The fields of a transaction that determine its ledger accounts. */
export interface Movable {
  type: TransactionType
  accountId: string
  toAccountId: string | null
  network: string
}

/** The ledger accounts between which each kind of entry moves a transaction's amount. */
export const sidesOf: Record<TransactionEntryKind, (of: Movable) => { debit: LedgerAccount; credit: LedgerAccount }> = {
  /** A deposit arrived; it is not credited to an account yet. */
  arrival: ({ network }) => ({ debit: `world:${network}`, credit: `suspense:${network}` }),
  /** A deposit is credited to its account. */
  credit: ({ network, accountId }) => ({ debit: `suspense:${network}`, credit: `available:${accountId}` }),
  /** The amount of a withdrawal or transfer is held. */
  hold: ({ accountId }) => ({ debit: `available:${accountId}`, credit: `frozen:${accountId}` }),
  /** The hold is released. */
  release: ({ accountId }) => ({ debit: `frozen:${accountId}`, credit: `available:${accountId}` }),
  /** A withdrawal was paid. */
  settlement: ({ accountId, network }) => ({ debit: `frozen:${accountId}`, credit: `world:${network}` }),
  /** A transfer arrives at its receiver. */
  delivery: ({ accountId, toAccountId }) => ({
    debit: `frozen:${accountId}`,
    credit: `available:${toAccountId ?? ''}`,
  }),
  /** A deposit in suspense is held for its return. */
  'return-hold': ({ network }) => ({ debit: `suspense:${network}`, credit: `returning:${network}` }),
  /** The return was not sent: the deposit is in suspense again. */
  'return-release': ({ network }) => ({ debit: `returning:${network}`, credit: `suspense:${network}` }),
  /** The return was paid. */
  return: ({ network }) => ({ debit: `returning:${network}`, credit: `world:${network}` }),
}

/** Whether an entry is the first of its transaction, posted when the transaction is created. */
export const isFirst = (kind: EntryKind): boolean => kind === 'arrival' || kind === 'hold' || kind === 'return-hold'

/** The fields of a movement that determine its ledger accounts. */
export interface Moved {
  kind: 'in' | 'out' | 'fee'
  accountId: string | null
  network: string
}

/** The ledger accounts of a movement's entry; undefined for a kind of entry that it cannot have. */
export function sidesOfMovement(
  entry: EntryKind,
  { kind, accountId, network }: Moved,
): { debit: LedgerAccount; credit: LedgerAccount } | undefined {
  if (entry === 'fee' && kind === 'fee') return { debit: `fees:${network}`, credit: `world:${network}` }
  if (entry !== 'execution' || accountId === null) return undefined
  if (kind === 'in') return { debit: `world:${network}`, credit: `available:${accountId}` }
  return { debit: `available:${accountId}`, credit: `world:${network}` }
}
