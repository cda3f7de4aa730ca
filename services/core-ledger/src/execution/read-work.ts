import { and, asc, count, type Db, eq, gt, isNull, lte, min, or, param, prepared } from '@bursar/store'
import { transactions } from '../transactions/transactions.table'
import { type WorkLane, work } from './work.table'

export type Work = typeof work.$inferSelect

/** How long an attempt at the wallet service has its work to itself; longer than its calls may take. */
export const leaseMs = 30_000

/**
 * The oldest due work of a lane that no attempt has to itself. A moment further away than `longestMs` was set by a clock
 * that has been put right since: it counts as due.
 */
export async function dueWork(
  db: Db,
  lane: WorkLane,
  { now, limit, longestMs }: { now: Date; limit: number; longestMs: number },
): Promise<string[]> {
  const leases = { now, furthestLease: later(now, leaseMs) }
  const due = await dueBy(db).execute({ lane, limit, ...leases })
  const left = limit - due.length
  const stranded =
    left > 0 ? await dueBeyond(db).execute({ lane, furthest: later(now, longestMs), limit: left, ...leases }) : []
  return [...due, ...stranded].map((row) => row.id)
}

/** When a lane's next work becomes due that is not due yet. */
export async function nextDueAt(db: Db, lane: WorkLane, now: Date): Promise<Date | null> {
  const [row] = await dueAfter(db).execute({ lane, now })
  return row?.dueAt ?? null
}

/** True while another attempt has the work to itself. */
export const isLeased = ({ leasedUntil }: Work, now: Date): boolean =>
  leasedUntil !== null && leasedUntil > now && leasedUntil <= later(now, leaseMs)

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

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

const isFree = or(
  isNull(work.leasedUntil),
  lte(work.leasedUntil, param('now')),
  gt(work.leasedUntil, param('furthestLease')),
)
const dueWhere = (isDue: ReturnType<typeof lte>) =>
  prepared((db) =>
    db
      .select({ id: work.transactionId })
      .from(work)
      .where(and(eq(work.lane, param('lane')), isDue, isFree))
      .orderBy(asc(work.dueAt))
      .limit(param('limit')),
  )
const dueBy = dueWhere(lte(work.dueAt, param('now')))
const dueBeyond = dueWhere(gt(work.dueAt, param('furthest')))
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
    .where(eq(work.transactionId, param('id'))),
)
const backlog = prepared((db) => db.select({ depth: count(), oldest: min(work.createdAt) }).from(work))
