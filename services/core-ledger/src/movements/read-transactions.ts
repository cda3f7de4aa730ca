import { isoTime } from '@bursar/contracts/iso-time'
import { formatAmount } from '@bursar/money'
import { type Db, eq, getTableColumns, inArray, queryAmong } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { normalNetwork } from '../networks/networks'
import { hasUnbookedPayment, isInSuspense, standingReturn } from './returns'
import { missingSince } from './reversal-shortfall'
import type { Rejected, Transaction, TransactionWithAsset } from './transactions.model'
import { transactions } from './transactions.table'
import { type Work, work } from './work.table'

/** A transaction with the fields of its asset that readers need, also of a deleted asset. */
export type TransactionRecord = typeof transactions.$inferSelect & {
  asset: { id: string; name: string; code: string; decimals: number }
}

/** What a move needs: everything but the screening's findings, which are as long as the rest and never change. */
export type MovableRecord = Omit<TransactionRecord, 'screeningData'>

const { screeningData, ...movable } = getTableColumns(transactions)
const movableRecord = {
  ...movable,
  asset: { id: assets.id, name: assets.name, code: assets.code, decimals: assets.decimals },
}
/** The columns of a TransactionRecord, for selects that join `assets` on `transactions.assetId`. */
export const transactionRecord = { ...movableRecord, screeningData }

/** Fails when there is no such transaction; the message names it (spec 2, Errors). */
export async function transactionById(connection: Db, id: string): Promise<TransactionRecord> {
  const record = await findTransaction(connection, id)
  if (!record) throw transactionNotFound(id)
  return record
}

export const transactionNotFound = (id: string) =>
  fail('TRANSACTION_NOT_FOUND', { message: `Transaction ${id} not found` })

/** Undefined if there is no such transaction. */
export async function findTransaction(connection: Db, id: string): Promise<TransactionRecord | undefined> {
  const [record] = await byIds(connection, [id.toLowerCase()])
  return record
}

/** Transactions with the fields of their assets, for lists. */
export const transactionRows = (db: Db) =>
  db.select(transactionRecord).from(transactions).innerJoin(assets, eq(assets.id, transactions.assetId))

/** A transaction with its row of work. */
export type QueuedTransaction = MovableRecord & { work: Work }

/** Transactions with their rows of work, by id; those without work are left out. */
export async function queuedTransactions(db: Db, ids: readonly string[]): Promise<Map<string, QueuedTransaction>> {
  const records = await queuedByIds(db, ids)
  return new Map(records.map((record) => [record.id, record]))
}

/** Transactions by id; unknown ids are left out. */
export async function transactionsById(db: Db, ids: readonly string[]): Promise<Map<string, TransactionRecord>> {
  const records = await byIds(db, ids)
  return new Map(records.map((record) => [record.id, record]))
}

/**
 * A transaction in the service form with its asset; of a deposit also what sends it back, and whether its chain has taken it
 * back, and of a return whether a payment of it is in no books, where that is so. 404 names the id.
 */
export async function getTransaction(db: Db, id: string): Promise<TransactionWithAsset> {
  const record = await transactionById(db, id)
  const back = isInSuspense(record) ? await standingReturn(db, record.id) : undefined
  const isUnbooked = await hasUnbookedPayment(db, record)
  const isTakenBack = record.type === 'DEPOSIT' && (await missingSince(db, record.id)) !== null
  return {
    ...toTransactionWithAsset(record),
    ...(back ? { returnedBy: back.id } : {}),
    ...(isTakenBack ? { takenBack: true } : {}),
    ...(isUnbooked ? { unbookedPayment: true } : {}),
  }
}

export const toTransactionWithAsset = (record: TransactionRecord): TransactionWithAsset => {
  const { name, code } = record.asset
  return { ...toTransaction(record), asset: { id: record.assetId, name, code } }
}

/** The service form (spec 2, Transaction, service form). */
export const toTransaction = (record: TransactionRecord): Transaction => ({
  id: record.id,
  customerId: record.customerId,
  accountId: record.accountId,
  ...(record.toAccountId === null ? {} : { toAccountId: record.toAccountId }),
  assetId: record.assetId,
  type: record.type,
  status: record.status,
  amount: formatAmount(record.amount, record.asset.decimals),
  network: normalNetwork(record.network),
  sourceAddress: record.sourceAddress,
  destinationAddress: record.destinationAddress,
  reference: record.reference,
  ...(record.returns === null ? {} : { returns: record.returns }),
  txHash: record.txHash,
  screeningData: record.screeningData,
  ...(record.rejectionReason === null ? {} : { rejectionReason: record.rejectionReason }),
  ...(record.failureReason === null ? {} : { failureReason: record.failureReason }),
  createdAt: isoTime(record.createdAt),
  updatedAt: isoTime(record.updatedAt),
})

export async function* toTransactions(chunks: AsyncGenerator<TransactionRecord[]>): AsyncGenerator<Transaction[]> {
  for await (const records of chunks) yield records.map(toTransaction)
}

/** The answer to a rejection. */
export const toRejected = ({ id, rejectionReason }: TransactionRecord): Rejected => ({
  id,
  status: 'REJECTED',
  rejectionReason: rejectionReason ?? '',
})

const queuedByIds = queryAmong(
  (ids) => (db) =>
    db
      .select({ ...movableRecord, work })
      .from(work)
      .innerJoin(transactions, eq(transactions.id, work.transactionId))
      .innerJoin(assets, eq(assets.id, transactions.assetId))
      .where(inArray(work.transactionId, ids)),
)
const byIds = queryAmong((ids) => (db) => transactionRows(db).where(inArray(transactions.id, ids)))
