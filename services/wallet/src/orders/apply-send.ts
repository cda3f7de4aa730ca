import type { SendState } from '@bursar/contracts/blockchain'
import { judgeEvent, type Mark, markOf, type ToldState } from '@bursar/contracts/order-states'
import type { Tx } from '@bursar/store'
import { changeOrder, findOrder, type OrderRow, orderQueue } from './orders'

type Step = Pick<
  OrderRow,
  'status' | 'txHash' | 'reason' | 'handedAt' | 'attempts' | 'waitsFor' | 'lostAt' | 'toldEpoch' | 'toldVersion'
>

/**
 * Notes what the blockchain service's event says of an order, as far as events are believed; of the rest the service is
 * asked at once. Orders of others are ignored. Whether there is something to ask.
 */
export async function hearOfSend(tx: Tx, event: ToldState & Mark, now: Date): Promise<boolean> {
  const order = await findOrder(tx, event.id)
  if (!order) return false
  const verdict = judgeEvent({ ...order, told: markOf(order) }, event)
  if (verdict === 'believe') {
    const { epoch: toldEpoch, version: toldVersion } = event
    await changeOrder(tx, order, { ...stepBy(order, event, now), toldEpoch, toldVersion, updatedAt: now })
  }
  if (verdict === 'ask') await orderQueue.wake(tx, order.id, now)
  return verdict === 'ask'
}

/** What changes of an order by what is said of it. Throws when that cannot be true: sent or final without a hash. */
export function stepBy(order: OrderRow, { status, txHash, reason }: SendState, now: Date): Step {
  const change = changeBy(order, { status, txHash, reason })
  const isStep = change.status !== order.status || order.handedAt === null
  // It is not lost any more, and what is on its way waits for nothing.
  const waitsFor = change.status === 'accepted' && order.lostAt === null ? order.waitsFor : null
  // An answer has no mark: what events told before is not compared with it.
  const isSame = change.txHash === order.txHash
  const told = isSame ? markOf(order) : null
  return {
    ...change,
    handedAt: order.handedAt ?? now,
    attempts: isStep ? 0 : order.attempts,
    waitsFor,
    lostAt: null,
    toldEpoch: told?.epoch ?? null,
    toldVersion: told?.version ?? null,
  }
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
