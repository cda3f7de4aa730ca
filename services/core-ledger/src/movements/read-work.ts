import {
  count,
  type Db,
  eq,
  inArray,
  inLists,
  listParams,
  listSize,
  listValues,
  min,
  param,
  prepared,
  variants,
} from '@bursar/store'
import { transactions } from './transactions.table'
import { type Work, work } from './work.table'

export type { Work }

/** When it is tried next: what is in the queue always has something to do. */
export const dueOf = ({ dueAt, createdAt }: Pick<Work, 'dueAt' | 'createdAt'>): Date => dueAt ?? createdAt

/** A transaction's place in the queue; undefined when it has none (any more). */
export async function workOf(db: Db, transactionId: string): Promise<Work | undefined> {
  const [row] = await byId(db).execute({ id: transactionId })
  return row
}

/** A withdrawal as the wallet service is given it, by the terms that it was made with. */
export interface Order {
  readonly work: Work
  readonly id: string
  readonly accountId: string
  readonly assetId: string
  readonly network: string
  readonly assetCode: string
  readonly contractAddress: string | null
  readonly amount: bigint
  readonly decimals: number
  readonly destinationAddress: string | null
  /** The deposit that it returns; null where it pays from an account. */
  readonly returns: string | null
}

/** Withdrawals in the queue with their orders, by id; without those that are not there (any more). */
export async function ordersOf(db: Db, ids: readonly string[]): Promise<Map<string, Order>> {
  const orders = await inLists(ids, (list) => ordersByIds({ size: listSize(list) })(db).execute(listValues('id', list)))
  return new Map(orders.map((order) => [order.id, order]))
}

/** How much waits, and since when the oldest of it. */
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
const ordersByIds = variants(
  ({ size }: { size: number }) =>
    (db) =>
      db
        .select({
          work,
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
        .from(work)
        .innerJoin(transactions, eq(transactions.id, work.transactionId))
        .where(inArray(work.transactionId, listParams('id', size))),
)
const backlog = prepared((db) => db.select({ depth: count(), oldest: min(work.createdAt) }).from(work))
