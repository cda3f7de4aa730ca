import { count, type Db, eq, inArray, min, param, prepared, queryAmong } from '@bursar/store'
import { transactions } from './transactions.table'
import { type Work, work } from './work.table'

export type { Work }

/** When it is tried next. A row of the queue always has something to do. */
export const dueOf = ({ dueAt, createdAt }: Pick<Work, 'dueAt' | 'createdAt'>): Date => dueAt ?? createdAt

/** A transaction's row of work; undefined if it has none. */
export async function workOf(db: Db, transactionId: string): Promise<Work | undefined> {
  const [row] = await byId(db).execute({ id: transactionId })
  return row
}

/** A withdrawal as it is ordered from the wallet service, with the terms it was created with: they never change. */
export interface Order {
  readonly id: string
  readonly accountId: string
  readonly assetId: string
  readonly network: string
  readonly assetCode: string
  readonly contractAddress: string | null
  readonly amount: bigint
  readonly decimals: number
  readonly destinationAddress: string | null
  /** The deposit that it returns; null if it pays from an account. */
  readonly returns: string | null
}

/** Orders by the ids of their withdrawals. */
export async function ordersOf(db: Db, ids: readonly string[]): Promise<Map<string, Order>> {
  const orders = await ordersByIds(db, ids)
  return new Map(orders.map((order) => [order.id, order]))
}

/** The transactions among these that are in the queue. */
export async function queuedAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queuedByIds(db, ids)
  return new Set(rows.map(({ id }) => id))
}

/** How many transactions wait, and since when the oldest. */
export async function backlogOf(db: Db): Promise<{ depth: number; oldestAt: Date | null }> {
  const [row] = await backlog(db).execute()
  return { depth: row?.depth ?? 0, oldestAt: row?.oldest == null ? null : new Date(row.oldest) }
}

const byId = prepared((db) =>
  db
    .select()
    .from(work)
    .where(eq(work.transactionId, param('id'))),
)
const ordersByIds = queryAmong(
  (ids) => (db) =>
    db
      .select({
        id: transactions.id,
        accountId: transactions.accountId,
        assetId: transactions.assetId,
        network: transactions.network,
        assetCode: transactions.assetCode,
        contractAddress: transactions.contractAddress,
        amount: transactions.amount,
        decimals: transactions.decimals,
        destinationAddress: transactions.destinationAddress,
        returns: transactions.returns,
      })
      .from(transactions)
      .where(inArray(transactions.id, ids)),
)
const queuedByIds = queryAmong(
  (ids) => (db) => db.select({ id: work.transactionId }).from(work).where(inArray(work.transactionId, ids)),
)
const backlog = prepared((db) => db.select({ depth: count(), oldest: min(work.createdAt) }).from(work))
