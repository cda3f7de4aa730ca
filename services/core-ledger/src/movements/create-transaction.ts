import { params, prepared, type Tx } from '@bursar/store'
import { type Holding, post } from '../ledger/post'
import type { TransactionRecord } from './read-transactions'
import { entryAt, type TransactionType } from './states'
import { type Terms, useAsset } from './terms'
import { emitCreated } from './transaction-events'
import { transactions } from './transactions.table'

/** The input of a new transaction, besides its terms. */
export interface NewTransaction {
  type: TransactionType
  /** Already compared with the balance, if it is to be held. */
  amount: bigint
  toAccountId?: string
  sourceAddress?: string
  destinationAddress?: string
  reference?: string | null
  /** The deposit that it returns. */
  returns?: string
  txHash?: string
  logIndex?: number
  transferKey?: string
}

/** The stored part of its terms, and the balance of the account whose amount is held. */
type MadeOf = Pick<Terms, 'accountId' | 'customerId' | 'participantId' | 'asset'> & Partial<Pick<Terms, 'holding'>>

/** Stores a PENDING transaction with its first entry and its event. */
export async function createTransaction(
  tx: Tx,
  terms: MadeOf,
  input: NewTransaction,
  at: Date,
): Promise<TransactionRecord> {
  const { asset, accountId, customerId, participantId } = terms
  const record: TransactionRecord = {
    id: Bun.randomUUIDv7(),
    customerId,
    accountId,
    toAccountId: input.toAccountId ?? null,
    assetId: asset.id,
    type: input.type,
    status: 'PENDING',
    amount: input.amount,
    network: asset.network,
    assetCode: asset.code,
    contractAddress: asset.contractAddress,
    decimals: asset.decimals,
    sourceAddress: input.sourceAddress ?? null,
    destinationAddress: input.destinationAddress ?? null,
    reference: input.reference ?? null,
    returns: input.returns ?? null,
    txHash: input.txHash ?? null,
    logIndex: input.logIndex ?? null,
    transferKey: input.transferKey ?? null,
    participantId,
    screeningApproved: null,
    screeningData: null,
    rejectionReason: null,
    failureReason: null,
    phases: null,
    createdAt: at,
    updatedAt: at,
    executedAt: null,
    asset,
  }
  await useAsset(tx, terms)
  const insert = record.type === 'WITHDRAWAL' ? insertWithdrawal : insertUsual
  await (record.returns === null ? insert : insertReturn)(tx).execute(record as unknown as Record<string, unknown>)
  const first = entryAt(record, 'PENDING')
  const known: Holding | undefined = first === 'hold' ? terms.holding : undefined
  if (first) await post(tx, first, record, at, known)
  await emitCreated(tx, record, at)
  return record
}

/** Columns that are empty at creation are omitted, because each bound value costs time. */
const { screeningApproved, screeningData, rejectionReason, failureReason, phases, executedAt, ...given } =
  params(transactions)
const { returns, ...usual } = given
const { toAccountId, sourceAddress, txHash, logIndex, transferKey, ...ofWithdrawal } = usual
const insertReturn = prepared((db) => db.insert(transactions).values(given))
const insertUsual = prepared((db) => db.insert(transactions).values(usual))
const insertWithdrawal = prepared((db) => db.insert(transactions).values(ofWithdrawal))
