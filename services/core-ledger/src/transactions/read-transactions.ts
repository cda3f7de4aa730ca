import { formatAmount } from '@bursar/money'
import { type Db, eq, getTableColumns, param, prepared, type Store } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import type { Transaction, TransactionWithAsset } from './transactions.model'
import { transactions } from './transactions.table'

/** A transaction with what its readers need of its asset, also of a deleted one. */
export type TransactionRecord = typeof transactions.$inferSelect & {
  asset: { id: string; name: string; code: string; decimals: number }
}

/** The columns of a TransactionRecord, for selects that join `assets` on `transactions.assetId`. */
export const transactionRecord = {
  ...getTableColumns(transactions),
  asset: { id: assets.id, name: assets.name, code: assets.code, decimals: assets.decimals },
}

/** Fails when there is no such transaction; the message names it (spec 2, Errors). */
export async function transactionById(connection: Db, id: string): Promise<TransactionRecord> {
  const [record] = await byId(connection).execute({ id: id.toLowerCase() })
  if (!record) throw fail('TRANSACTION_NOT_FOUND', { message: `Transaction ${id} not found` })
  return record
}

/** GET /transactions/:id */
export async function getTransaction(store: Store, id: string): Promise<TransactionWithAsset> {
  const record = await transactionById(store.read, id)
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
  network: record.network,
  sourceAddress: record.sourceAddress,
  destinationAddress: record.destinationAddress,
  reference: record.reference,
  txHash: record.txHash,
  screeningData: record.screeningData,
  ...(record.rejectionReason === null ? {} : { rejectionReason: record.rejectionReason }),
  ...(record.failureReason === null ? {} : { failureReason: record.failureReason }),
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
})

const byId = prepared((db) =>
  db
    .select(transactionRecord)
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(eq(transactions.id, param('id'))),
)
