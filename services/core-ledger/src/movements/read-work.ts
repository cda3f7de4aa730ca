import { count, type Db, inArray, min, prepared, queryAmong, rowBy } from '@bursar/store'
import { transactions } from './transactions.table'
import { type Work, work } from './work.table'

export type { Work }

/** When it is tried next. A row of the queue always has something to do. */
export const dueOf = ({ dueAt, createdAt }: Pick<Work, 'dueAt' | 'createdAt'>): Date => dueAt ?? createdAt

/** A transaction's row of work; undefined if it has none. */
export const workOf = rowBy(work, 'transactionId')

/**
 * A withdrawal as it is ordered from the wallet service, with the terms it was created with: they never change. `returns`:
 * the deposit that it returns; null if it pays from an account.
 */
export type Order = Readonly<Awaited<ReturnType<typeof ordersByIds>>[number]>

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
