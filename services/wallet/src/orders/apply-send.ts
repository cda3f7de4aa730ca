import type { SendState } from '@bursar/contracts/blockchain'
import type { Db, Tx } from '@bursar/store'
import { changeOrder, findOrder, isEnded, type OrderRow } from './orders'

type Step = Pick<OrderRow, 'status' | 'txHash' | 'reason' | 'handedAt' | 'attempts' | 'waitsFor' | 'lostAt'>

/**
 * Notes how the blockchain service says that an order stands. States only move forward; an ended order stays as it is,
 * and so does one of which nothing new is said. An order that is none of ours is no matter.
 */
export async function applySend(tx: Tx, state: SendState, now: Date): Promise<void> {
  const news = await newsOf(tx, state, now)
  if (news) await changeOrder(tx, news.order, { ...news.step, updatedAt: now })
}

/** Whether an order would change. Where it would not it never will: states only move forward. */
export const isNews = async (db: Db, state: SendState, now: Date): Promise<boolean> =>
  (await newsOf(db, state, now)) !== null

async function newsOf(db: Db, state: SendState, now: Date): Promise<{ order: OrderRow; step: Step } | null> {
  const order = await findOrder(db, state.id)
  if (!order || isEnded(order)) return null
  const step = stepBy(order, state, now)
  return isSame(order, step) ? null : { order, step }
}

/** What changes of an order by what is said of it. Throws when that cannot be true: sent or final without a hash. */
export function stepBy(order: OrderRow, { status, txHash, reason }: SendState, now: Date): Step {
  const change = changeBy(order, { status, txHash, reason })
  const isStep = change.status !== order.status || order.handedAt === null
  // It is not lost any more, and what is on its way waits for nothing.
  const waitsFor = change.status === 'accepted' && order.lostAt === null ? order.waitsFor : null
  return { ...change, handedAt: order.handedAt ?? now, attempts: isStep ? 0 : order.attempts, waitsFor, lostAt: null }
}

function changeBy(
  order: OrderRow,
  { status, txHash, reason }: Omit<SendState, 'id'>,
): Pick<OrderRow, 'status' | 'txHash' | 'reason'> {
  const hash = txHash ?? order.txHash
  if (status === 'failed')
    return { status, txHash: hash, reason: reason ?? 'The blockchain service could not carry it out' }
  // A reorganisation took it off the chain again: it was broadcast all the same, and will be mined anew.
  if (status === 'accepted') return { status: order.status, txHash: order.txHash, reason: null }
  if (hash === null) throw new Error(`The blockchain service says that ${order.id} is ${status}, without its hash`)
  return { status, txHash: hash, reason: null }
}

const isSame = (order: OrderRow, { status, txHash, reason, handedAt, attempts, waitsFor }: Step): boolean =>
  order.status === status &&
  order.txHash === txHash &&
  order.reason === reason &&
  order.handedAt?.getTime() === handedAt?.getTime() &&
  order.attempts === attempts &&
  order.waitsFor === waitsFor &&
  order.lostAt === null
