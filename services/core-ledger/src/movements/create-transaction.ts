import { insertAll, newId, type Tx, together } from '@bursar/store'
import { type Balance, type Entry, postAll } from '../ledger/post'
import type { TransactionRecord } from './read-transactions'
import { entryAt, type TransactionType } from './states'
import { type Terms, useAsset } from './terms'
import { emitCreated } from './transaction-events'
import { transactions } from './transactions.table'

/** The input of a new transaction, besides its terms. */
export interface NewTransaction {
  /** Generated when absent. */
  id?: string
  type: TransactionType
  /** In minor units. The caller has compared it with the balance, if it is to be held. */
  amount: bigint
  toAccountId?: string
  sourceAddress?: string
  destinationAddress?: string
  reference?: string | null
  /** The deposit that this withdrawal returns. */
  returns?: string
  txHash?: string
  logIndex?: number
  transferKey?: string
}

/** The terms that are stored, and the balance of the account whose amount is held. */
type MadeOf = Pick<Terms, 'accountId' | 'customerId' | 'participantId' | 'asset'> & Partial<Pick<Terms, 'holding'>>

/** Stores a PENDING transaction with its first entry and its event. */
export async function createTransaction(
  tx: Tx,
  terms: MadeOf,
  input: NewTransaction,
  at: Date,
): Promise<TransactionRecord> {
  const [record] = await createTransactions(tx, [{ terms, input }], at)
  return record as TransactionRecord
}

/** The input of a transaction, and the id of the request that its event names; the commit's by default. */
export interface Draft {
  terms: MadeOf
  input: NewTransaction
  requestId?: string | null | undefined
}

/** The same for several transactions, one after another. A given balance is the one before all of them. */
export async function createTransactions(tx: Tx, drafts: readonly Draft[], at: Date): Promise<TransactionRecord[]> {
  const records = drafts.map(({ terms, input }) => recordOf(terms, input, at))
  for (const asset of unusedOf(drafts)) await useAsset(tx, { asset })
  const events = records.map((moved, i) => ({ moved, from: null, reason: null, requestId: drafts[i]?.requestId }))
  await together(
    insertRecords(tx, records),
    postAll(tx, records.flatMap(firstEntry), at, drafts.flatMap(balanceOf)),
    emitCreated(tx, events, at),
  )
  return records
}

/** The assets that have had no transaction yet, each once. */
function unusedOf(drafts: readonly Draft[]): Iterable<Terms['asset']> {
  const unused = new Map<string, Terms['asset']>()
  for (const { terms } of drafts) if (!terms.asset.used) unused.set(terms.asset.id, terms.asset)
  return unused.values()
}

function firstEntry(of: TransactionRecord): Entry[] {
  const kind = entryAt(of, 'PENDING')
  return kind ? [{ kind, of }] : []
}

const balanceOf = ({ terms: { accountId, asset, holding } }: Draft): Balance[] =>
  holding ? [{ accountId, assetId: asset.id, available: holding.available, frozen: holding.frozen }] : []

function recordOf(terms: MadeOf, input: NewTransaction, at: Date): TransactionRecord {
  const { asset, accountId, customerId, participantId } = terms
  return {
    id: input.id ?? newId(),
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
}

const insertRecords = insertAll(transactions)
