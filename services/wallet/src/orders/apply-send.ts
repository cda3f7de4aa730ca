import type { SendState } from '@bursar/contracts/blockchain'
import type { Tx } from '@bursar/store'
import { changeOrder, findOrder, isEnded, type OrderRow } from './orders'

/**
 * Notes how the blockchain service says that an order stands. States only move forward; an ended order stays as it is. Answers
 * the order as it is now; undefined when it is none of ours.
 */
export async function applySend(tx: Tx, state: SendState, now = new Date()): Promise<OrderRow | undefined> {
  const order = await findOrder(tx, state.id)
  if (!order || isEnded(order)) return order
  const change = changeBy(order, state)
  const isStep = change.status !== order.status || order.handedAt === null
  const attempts = isStep ? 0 : order.attempts
  return await changeOrder(tx, order, { handedAt: order.handedAt ?? now, attempts, ...change, updatedAt: now })
}

/** Throws when the answer cannot be true: sent or final without a hash. */
function changeBy(
  order: OrderRow,
  { status, txHash, reason }: SendState,
): Pick<OrderRow, 'status' | 'txHash' | 'reason'> {
  const hash = txHash ?? order.txHash
  if (status === 'failed')
    return { status, txHash: hash, reason: reason ?? 'The blockchain service could not carry it out' }
  // A reorganisation took it off the chain again: it was broadcast all the same, and will be mined anew.
  if (status === 'accepted') return { status: order.status, txHash: order.txHash, reason: null }
  if (hash === null) throw new Error(`The blockchain service says that ${order.id} is ${status}, without its hash`)
  return { status, txHash: hash, reason: null }
}
