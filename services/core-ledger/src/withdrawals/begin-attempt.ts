import { and, eq, inArray, LeaseLostError, param, sql, type Tx, writeAmong } from '@bursar/store'
import type { ClaimedWork, Settling, Waiting } from '../movements/execution-queue'
import { obstaclesOf } from '../movements/obstacle'
import { type Order, queuedAmong } from '../movements/read-work'
import { work } from '../movements/work.table'

/**
 * What an attempt may ask of the wallet service. `reason`: why nothing may be ordered now; null if that service had the
 * order before.
 */
export type Attempt =
  | { ask: 'order'; order: Order }
  | { ask: 'record'; order: Order; reason: string | null }
  | { ask: 'refusal'; order: Order; reason: string }

/** An attempt at a withdrawal. `unknown`: why the state of its account is not known. */
export interface Beginning {
  row: ClaimedWork
  order: Order
  unknown: string | null
}

/**
 * Decides, by the present state of the books, what attempts at withdrawals may ask of the wallet service. `orderedAt`
 * is stored before the order is sent: from then on it may be paid. Null when there is nothing to do now.
 */
export async function beginAttempts(
  tx: Tx,
  { queue, now }: Settling,
  beginnings: readonly Beginning[],
): Promise<(Attempt | null)[]> {
  const queued = await queuedAmong(
    tx,
    beginnings.map(({ row }) => row.transactionId),
  )
  const found = beginnings.filter(({ row }) => queued.has(row.transactionId))
  const obstacles = await obstaclesOf(
    tx,
    found.map(({ order }) => ({ ...order, ...withdrawal })),
  )
  const attempts = new Map<ClaimedWork, Attempt>()
  const ordered: ClaimedWork[] = []
  const waiting: Waiting[] = []
  const at = now()
  for (const [i, { row, order, unknown }] of found.entries()) {
    const obstacle = unknown === null ? obstacles[i] : { reason: unknown, isFinal: false }
    if (!obstacle) {
      ordered.push(row)
      attempts.set(row, { ask: 'order', order })
      continue
    }
    const { reason, isFinal } = obstacle
    if (isFinal) attempts.set(row, { ask: 'refusal', order, reason })
    else if (row.orderedAt !== null) attempts.set(row, { ask: 'record', order, reason })
    else waiting.push({ row, why: { now: at, error: reason } })
  }
  await queue.rescheduleAll(tx, waiting)
  await noteOrdered(tx, ordered, at)
  return beginnings.map(({ row }) => attempts.get(row) ?? null)
}

const withdrawal = { type: 'WITHDRAWAL', toAccountId: null } as const

/** Stores when withdrawals are first ordered, while their leases are held. */
async function noteOrdered(tx: Tx, rows: readonly ClaimedWork[], at: Date): Promise<void> {
  for (const [held, some] of Map.groupBy(rows, ({ leasedUntil }) => leasedUntil.getTime())) {
    const ids = some.map(({ transactionId }) => transactionId)
    if ((await orderedAmong(tx, ids, { at, held: new Date(held) })) === ids.length) continue
    throw new LeaseLostError('Another attempt has the withdrawal: this one orders nothing')
  }
}

const orderedAmong = writeAmong(
  (ids) => (db) =>
    db
      .update(work)
      .set({ orderedAt: sql`coalesce(${work.orderedAt}, ${param('at')})` })
      .where(and(inArray(work.transactionId, ids), eq(work.leasedUntil, param('held')))),
)
