import { formatAmount } from '@bursar/money'
import { type Db, eq, param, prepared, type Tx } from '@bursar/store'
import { assetByCode } from '../assets/assets'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { type TransactionRecord, transactionNotFound, transactionRecord } from '../movements/read-transactions'
import { transactions } from '../movements/transactions.table'
import { work } from '../movements/work.table'
import { normalNetwork } from '../networks/networks'
import { createWithdrawal } from '../withdrawals/create-withdrawal'
import type { GatewayTransaction, GatewayWithdrawal } from './gateway.model'
import { phasesShown } from './phases-shown'

/** A transaction with its row in the queue of work, if it has one. */
export type GatewayRecord = TransactionRecord & { work: typeof work.$inferSelect | null }

/** One transaction; 404 names the id. */
export async function getGatewayTransaction(db: Db, id: string): Promise<GatewayRecord> {
  const [record] = await byId(db).execute({ id: id.toLowerCase() })
  if (!record) throw transactionNotFound(id)
  return record
}

/** The transactions of these ids, in their order. */
export async function gatewayTransactions(db: Db, ids: readonly string[]): Promise<GatewayRecord[]> {
  const statement = byId(db)
  const rows = await Promise.all(ids.map((id) => statement.execute({ id })))
  return rows.flat()
}

/** A withdrawal as in the service form, but with the code of the asset. */
export async function createGatewayWithdrawal(
  tx: Tx,
  { assetCode, ...input }: GatewayWithdrawal,
  now: Date,
): Promise<TransactionRecord> {
  const asset = await assetByCode(tx, assetCode)
  if (!asset) throw fail('ASSET_NOT_FOUND', { message: `Asset ${assetCode} not found` })
  return await createWithdrawal(tx, { ...input, assetId: asset.id }, now)
}

/** The gateway form (spec 2), also for a record that was just changed and has no attempt yet. */
export const toGateway = (record: TransactionRecord & { work?: GatewayRecord['work'] }): GatewayTransaction => ({
  id: record.id,
  assetId: record.assetId,
  type: record.type.toLowerCase() as Lowercase<TransactionRecord['type']>,
  amount: formatAmount(record.amount, record.asset.decimals),
  status: record.status,
  network: normalNetwork(record.network),
  participantId: record.participantId,
  reference: record.reference,
  transactionData: {
    customerId: record.customerId,
    accountId: record.accountId,
    toAccountId: record.toAccountId,
    assetCode: record.asset.code,
    sourceAddress: record.sourceAddress,
    destinationAddress: record.destinationAddress,
    ...(record.returns === null ? {} : { returns: record.returns }),
    txHash: record.txHash,
    screeningData: record.screeningData,
    rejectionReason: record.rejectionReason,
    failureReason: record.failureReason,
  },
  createdAt: record.createdAt.toISOString(),
  updatedAt: record.updatedAt.toISOString(),
  executedAt: record.executedAt?.toISOString() ?? null,
  phases: phasesShown(record, record.work ?? null),
})

const byId = prepared((db) =>
  db
    .select({ ...transactionRecord, work })
    .from(transactions)
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .leftJoin(work, eq(work.transactionId, transactions.id))
    .where(eq(transactions.id, param('id'))),
)
