import type { Tx } from '@bursar/store'
import { obstacleOf } from '../transactions/obstacle'
import { putOff, type Settling } from './put-off'
import { isLeased, leaseMs, type Order, orderOf } from './read-work'
import { updateWork } from './update-work'

/** What an attempt is to ask of the wallet service. `reason`: why nothing may be ordered now. */
export type Attempt =
  | { ask: 'order'; order: Order }
  | { ask: 'record'; order: Order; reason: string | null }
  | { ask: 'refusal'; order: Order; reason: string }

/**
 * Decides, by the state of the books at this moment, what an attempt at a withdrawal may ask of the wallet service, and
 * gives the attempt the work to itself. That it is ordered stands here before it is: from then on it may be paid.
 * `unknown` is why the state of its account is not known. Null when there is nothing to do (now).
 */
export async function beginAttempt(
  tx: Tx,
  settling: Settling,
  id: string,
  unknown: string | null,
): Promise<Attempt | null> {
  const order = await orderOf(tx, id)
  const at = settling.now()
  if (!order || isLeased(order.work, at)) return null
  const leased = { ...order.work, leasedUntil: new Date(at.getTime() + leaseMs) }
  if (leased.acceptedAt !== null) return { ask: 'record', order: await keep(tx, order, leased), reason: null }
  const obstacle =
    unknown === null ? await obstacleOf(tx, { ...order, ...withdrawal }) : { reason: unknown, isFinal: false }
  if (!obstacle) {
    return { ask: 'order', order: await keep(tx, order, { ...leased, orderedAt: leased.orderedAt ?? at }) }
  }
  const { reason, isFinal } = obstacle
  if (isFinal) return { ask: 'refusal', order: await keep(tx, order, leased), reason }
  if (leased.orderedAt !== null) return { ask: 'record', order: await keep(tx, order, leased), reason }
  await putOff(tx, settling, order.work, { ...order.work, lastError: reason })
  return null
}

const withdrawal = { type: 'WITHDRAWAL', toAccountId: null } as const

async function keep(tx: Tx, order: Order, work: Order['work']): Promise<Order> {
  await updateWork(tx).execute({ ...work, seenDueAt: work.dueAt })
  return { ...order, work }
}
