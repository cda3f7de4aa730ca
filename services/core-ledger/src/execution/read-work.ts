import { and, asc, count, type Db, eq, gt, lte, min, param, prepared } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { transactions } from '../transactions/transactions.table'
import { type WorkLane, work } from './work.table'

export type Work = typeof work.$inferSelect

/** The oldest due work of a lane. */
export async function dueWork(db: Db, lane: WorkLane, now: Date, limit: number): Promise<string[]> {
  const rows = await dueIn(db).execute({ lane, now, limit })
  return rows.map((row) => row.id)
}

/** When a lane's next work becomes due that is not due yet. */
export async function nextDueAt(db: Db, lane: WorkLane, now: Date): Promise<Date | null> {
  const [row] = await dueAfter(db).execute({ lane, now })
  return row?.dueAt ?? null
}

/** A transaction's place in the queue; undefined when it has none (any more). */
export async function workOf(db: Db, transactionId: string): Promise<Work | undefined> {
  const [row] = await byId(db).execute({ id: transactionId })
  return row
}

/** A withdrawal as the wallet service is given it. */
export interface Order {
  readonly work: Work
  readonly id: string
  readonly accountId: string
  readonly network: string
  readonly assetCode: string
  readonly contractAddress: string | null
  readonly amount: bigint
  readonly decimals: number
  readonly destinationAddress: string | null
}

/** A withdrawal in the queue with its order; undefined when it is not there (any more). */
export async function orderOf(db: Db, transactionId: string): Promise<Order | undefined> {
  const [row] = await orderById(db).execute({ id: transactionId })
  return row
}

/** How much waits, and since when the oldest of it. */
export async function backlogOf(db: Db): Promise<{ depth: number; oldestAt: Date | null }> {
  const [row] = await backlog(db).execute()
  return { depth: row?.depth ?? 0, oldestAt: row?.oldest == null ? null : new Date(row.oldest) }
}

const dueIn = prepared((db) =>
  db
    .select({ id: work.transactionId })
    .from(work)
    .where(and(eq(work.lane, param('lane')), lte(work.dueAt, param('now'))))
    .orderBy(asc(work.dueAt))
    .limit(param('limit')),
)
const dueAfter = prepared((db) =>
  db
    .select({ dueAt: work.dueAt })
    .from(work)
    .where(and(eq(work.lane, param('lane')), gt(work.dueAt, param('now'))))
    .orderBy(asc(work.dueAt))
    .limit(1),
)
const byId = prepared((db) =>
  db
    .select()
    .from(work)
    .where(eq(work.transactionId, param('id'))),
)
const orderById = prepared((db) =>
  db
    .select({
      work,
      id: transactions.id,
      accountId: transactions.accountId,
      network: transactions.network,
      assetCode: assets.code,
      contractAddress: assets.contractAddress,
      amount: transactions.amount,
      decimals: assets.decimals,
      destinationAddress: transactions.destinationAddress,
    })
    .from(work)
    .innerJoin(transactions, eq(transactions.id, work.transactionId))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(eq(work.transactionId, param('id'))),
)
const backlog = prepared((db) => db.select({ depth: count(), oldest: min(work.createdAt) }).from(work))
