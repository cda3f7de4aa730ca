import type { journal } from '../ledger/journal.table'
import { isFirst } from '../ledger/ledger-accounts'
import type { transactions } from '../movements/transactions.table'
import type { movements } from '../portfolios/movements.table'

export type Entry = typeof journal.$inferSelect

/** What of a transaction never changes once it is made, and how it ended. */
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

/** What of a movement on a chain never changes once it is booked. */
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

/** An entry with the transaction, or the movement, that it belongs to; null where there is none. */
export interface SealedEntry extends Entry {
  transaction: SealedTerms | null
  movement: SealedMovement | null
}

/** The text of an entry that form 2 seals: the entry and its transaction's terms, with the second entry its end too. */
export function leafOf(entry: SealedEntry): string {
  const { seq, transactionId, kind, assetId, debit, credit, amount, createdAt, transaction, movement } = entry
  // JSON keeps the fields apart, whatever is in them.
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

/** The same entry as form 1 has it: without its transaction. */
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
  // A withdrawal gets its hash later, and it may change until the withdrawal has ended.
  of.type === 'WITHDRAWAL' ? null : of.txHash,
  of.logIndex,
  of.transferKey,
  of.participantId,
  +of.createdAt,
  // Only of these, so that what was sealed before there were any stays what it was.
  ...(of.returns === null ? [] : [of.returns]),
]

/** No transaction leaves the status that its second entry is posted with. */
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
