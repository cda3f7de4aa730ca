import type { journal } from '../ledger/journal.table'
import { isFirst } from '../ledger/ledger-accounts'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'

// The fields that are sealed, in the order in which the text of an entry has them.

const entryFields = ['seq', 'transactionId', 'kind', 'assetId', 'debit', 'credit', 'amount', 'createdAt'] as const

/** The fields of a transaction that never change. */
const termFields = [
  'type',
  'accountId',
  'toAccountId',
  'customerId',
  'assetId',
  'assetCode',
  'decimals',
  'contractAddress',
  'network',
  'amount',
  'sourceAddress',
  'destinationAddress',
  'reference',
  'txHash',
  'logIndex',
  'transferKey',
  'participantId',
  'createdAt',
] as const

/** How a transaction ended. */
const endFields = ['status', 'txHash', 'screeningApproved', 'rejectionReason', 'failureReason', 'executedAt'] as const

/** The fields of a chain movement that never change once it is posted. */
const movementFields = [
  'kind',
  'network',
  'txHash',
  'place',
  'part',
  'accountId',
  'address',
  'counterparty',
  'contractAddress',
  'amount',
  'decimals',
  'orderId',
  'assetId',
  'confirmedAt',
] as const

const columnsOf = <T extends object, K extends keyof T>(table: T, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>

/** What an entry's transaction and movement are read with. */
export const sealedColumns = {
  transaction: columnsOf(transactions, [...termFields, 'returns', ...endFields]),
  movement: columnsOf(movements, movementFields),
}

export type Entry = typeof journal.$inferSelect
type SealedTerms = Pick<typeof transactions.$inferSelect, keyof typeof sealedColumns.transaction>
type SealedMovement = Pick<typeof movements.$inferSelect, keyof typeof sealedColumns.movement>

/** An entry with its transaction or movement; null if there is none. */
export interface SealedEntry extends Entry {
  transaction: SealedTerms | null
  movement: SealedMovement | null
}

/**
 * The text of an entry in form 2: the entry and its transaction's terms; for the second entry also how the transaction
 * ended.
 */
export function leafOf(entry: SealedEntry): string {
  const { kind, transaction, movement } = entry
  const own = valuesOf(entry, entryFields)
  // JSON separates the fields, whatever they contain.
  if (movement) return JSON.stringify([...own, valuesOf(movement, movementFields)])
  return JSON.stringify([...own, transaction && termsOf(transaction), transaction && endOf(kind, transaction)])
}

/** The text of an entry in form 1: without its transaction. */
export const entryText = (entry: Entry): string => JSON.stringify(valuesOf(entry, entryFields))

/** Amounts and times as JSON says them exactly. */
const valuesOf = <T extends object>(of: T, names: readonly (keyof T)[]): unknown[] =>
  names.map((name) => {
    const value: unknown = of[name]
    return typeof value === 'bigint' ? `${value}` : value instanceof Date ? value.getTime() : value
  })

const termsOf = (of: SealedTerms) => [
  // A withdrawal gets its hash later, which may change until the withdrawal has ended.
  ...valuesOf(of.type === 'WITHDRAWAL' ? { ...of, txHash: null } : of, termFields),
  // Only for these, so that earlier seals stay valid.
  ...(of.returns === null ? [] : [of.returns]),
]

/** A transaction never leaves the status of its second entry. */
const endOf = (kind: Entry['kind'], of: SealedTerms) => (isFirst(kind) ? null : valuesOf(of, endFields))
