import { and, eq, LeaseLostError, param, prepared, rowsWritten, type Tx } from '@bursar/store'
import { obstacleOf } from '../movements/obstacle'
import type { ClaimedWork, Settling } from '../movements/queue'
import { type Order, orderOf } from '../movements/read-work'
import { work } from '../movements/work.table'

/** The request of an attempt to the wallet service. `reason`: why nothing may be ordered now. */
export type Attempt =
  | { ask: 'order'; order: Order }
  | { ask: 'record'; order: Order; reason: string | null }
  | { ask: 'refusal'; order: Order; reason: string }

/**
 * Decides, by the state of the books at this moment, what an attempt at a withdrawal may ask of the wallet service.
 * That it is ordered stands here before it is: from then on it may be paid. `unknown` is why the state of its account
 * is not known. Null when there is nothing to do (now).
 */
export async function beginAttempt(
  tx: Tx,
  { queue, now }: Settling,
  row: ClaimedWork,
  unknown: string | null,
): Promise<Attempt | null> {
  const order = await orderOf(tx, row.transactionId)
  if (!order) return null
  const obstacle =
    unknown === null ? await obstacleOf(tx, { ...order, ...withdrawal }) : { reason: unknown, isFinal: false }
  if (!obstacle) {
    const orderedAt = row.orderedAt ?? now()
    const noted: unknown = await noteOrdered(tx).execute({ id: order.id, orderedAt, held: row.leasedUntil })
    if (rowsWritten(noted) === 0)
      throw new LeaseLostError('Another attempt has the withdrawal: this one orders nothing')
    return { ask: 'order', order: { ...order, work: { ...order.work, orderedAt } } }
  }
  const { reason, isFinal } = obstacle
  if (isFinal) return { ask: 'refusal', order, reason }
  if (row.orderedAt !== null) return { ask: 'record', order, reason }
  await queue.reschedule(tx, row, { now: now(), error: reason })
  return null
}

const withdrawal = { type: 'WITHDRAWAL', toAccountId: null } as const

const noteOrdered = prepared((db) =>
  db
    .update(work)
    .set({ orderedAt: param('orderedAt') })
    .where(and(eq(work.transactionId, param('id')), eq(work.leasedUntil, param('held')))),
)
