import { formatAmount } from '@bursar/money'
import { eq, param, prepared, type Store } from '@bursar/store'
import { assetByCode } from '../assets/assets'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { work } from '../execution/work.table'
import { createWithdrawalAs } from '../transactions/create-withdrawal'
import { type TransactionRecord, transactionRecord } from '../transactions/read-transactions'
import { transactions } from '../transactions/transactions.table'
import type { GatewayTransaction, GatewayWithdrawal } from './gateway.model'
import { phasesShown } from './phases-shown'

/** A transaction with its place in the queue of work, where it has one. */
type GatewayRecord = TransactionRecord & { work: typeof work.$inferSelect | null }

/** GET /api/v1/core/transactions/:id. Fails when there is none; the message names it. */
export async function getGatewayTransaction(store: Store, id: string): Promise<GatewayTransaction> {
  const [record] = await byId(store.read).execute({ id: id.toLowerCase() })
  if (!record) throw fail('TRANSACTION_NOT_FOUND', { message: `Transaction ${id} not found` })
  return toGateway(record)
}

/** The transactions of these ids, in their order. */
export async function gatewayTransactions(store: Store, ids: readonly string[]): Promise<GatewayTransaction[]> {
  const statement = byId(store.read)
  const rows = await Promise.all(ids.map((id) => statement.execute({ id })))
  return rows.flat().map(toGateway)
}

/**
 * POST /api/v1/core/transactions/withdrawal: as in the service form, with the asset by its code. Throws AccountUnknown:
 * call it through `lookup.knowing`.
 */
export async function createGatewayWithdrawal(
  store: Store,
  { assetCode, ...input }: GatewayWithdrawal,
): Promise<GatewayTransaction> {
  const asset = await assetByCode(store.read, assetCode)
  if (!asset) throw fail('ASSET_NOT_FOUND', { message: `Asset ${assetCode} not found` })
  return await createWithdrawalAs(store, { ...input, assetId: asset.id }, toGateway)
}

/** The gateway form (spec 2), also of a record that was just changed and whose work nobody has begun. */
export const toGateway = (record: TransactionRecord & { work?: GatewayRecord['work'] }): GatewayTransaction => ({
  id: record.id,
  assetId: record.assetId,
  type: record.type.toLowerCase() as Lowercase<TransactionRecord['type']>,
  amount: formatAmount(record.amount, record.asset.decimals),
  status: record.status,
  network: record.network,
  participantId: record.participantId,
  reference: record.reference,
  transactionData: {
    customerId: record.customerId,
    accountId: record.accountId,
    toAccountId: record.toAccountId,
    assetCode: record.asset.code,
    sourceAddress: record.sourceAddress,
    destinationAddress: record.destinationAddress,
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
