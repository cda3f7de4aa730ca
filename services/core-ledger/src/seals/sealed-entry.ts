import type { journal } from '../ledger/journal.table'
import { isFirst } from '../ledger/ledger-accounts'
import type { transactions } from '../movements/transactions.table'
import type { movements } from '../portfolios/movements.table'

export type Entry = typeof journal.$inferSelect

/** The fields of a transaction that never change, and how it ended. */
export type SealedTerms = Pick<
  typeof transactions.$inferSelect,
  | 'type'
  | 'accountId'
  | 'toAccountId'
  | 'customerId'
  | 'assetId'
  | 'assetCode'
  | 'decimals'
  | 'contractAddress'
  | 'network'
  | 'amount'
  | 'sourceAddress'
  | 'destinationAddress'
  | 'reference'
  | 'returns'
  | 'txHash'
  | 'logIndex'
  | 'transferKey'
  | 'participantId'
  | 'createdAt'
  | 'status'
  | 'screeningApproved'
  | 'rejectionReason'
  | 'failureReason'
  | 'executedAt'
>

/** The fields of a chain movement that never change once it is posted. */
export type SealedMovement = Pick<
  typeof movements.$inferSelect,
  | 'kind'
  | 'network'
  | 'txHash'
  | 'place'
  | 'part'
  | 'accountId'
  | 'address'
  | 'counterparty'
  | 'contractAddress'
  | 'amount'
  | 'decimals'
  | 'orderId'
  | 'assetId'
  | 'confirmedAt'
>

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
  const { seq, transactionId, kind, assetId, debit, credit, amount, createdAt, transaction, movement } = entry
  // JSON separates the fields, whatever they contain.
  const own = [seq, transactionId, kind, assetId, debit, credit, `${amount}`, +createdAt]
  if (movement) return JSON.stringify([...own, termsOfMovement(movement)])
  return JSON.stringify([...own, transaction && termsOf(transaction), transaction && endOf(kind, transaction)])
}

const termsOfMovement = (of: SealedMovement) => [
  of.kind,
  of.network,
  of.txHash,
  of.place,
  of.part,
  of.accountId,
  of.address,
  of.counterparty,
  of.contractAddress,
  `${of.amount}`,
  of.decimals,
  of.orderId,
  of.assetId,
  +of.confirmedAt,
]

/** The text of an entry in form 1: without its transaction. */
export const entryText = ({ seq, transactionId, kind, assetId, debit, credit, amount, createdAt }: Entry): string =>
  JSON.stringify([seq, transactionId, kind, assetId, debit, credit, `${amount}`, +createdAt])

const termsOf = (of: SealedTerms) => [
  of.type,
  of.accountId,
  of.toAccountId,
  of.customerId,
  of.assetId,
  of.assetCode,
  of.decimals,
  of.contractAddress,
  of.network,
  `${of.amount}`,
  of.sourceAddress,
  of.destinationAddress,
  of.reference,
  // A withdrawal gets its hash later, which may change until the withdrawal has ended.
  of.type === 'WITHDRAWAL' ? null : of.txHash,
  of.logIndex,
  of.transferKey,
  of.participantId,
  +of.createdAt,
  // Only for these, so that earlier seals stay valid.
  ...(of.returns === null ? [] : [of.returns]),
]

/** A transaction never leaves the status of its second entry. */
const endOf = (kind: Entry['kind'], of: SealedTerms) =>
  isFirst(kind)
    ? null
    : [
        of.status,
        of.txHash,
        of.screeningApproved,
        of.rejectionReason,
        of.failureReason,
        of.executedAt && +of.executedAt,
      ]
