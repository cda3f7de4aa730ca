import type { SendState } from '@bursar/contracts/blockchain'
import { judgeEvent, markOf, type ToldState } from '@bursar/contracts/order-states'
import type { ChangeMark } from '@bursar/contracts/replica'
import type { Tx } from '@bursar/store'
import { changeOrder, findOrder, type OrderRow, orderQueue } from './orders'

type Step = Pick<
  OrderRow,
  'status' | 'txHash' | 'reason' | 'handedAt' | 'attempts' | 'waitsFor' | 'lostAt' | 'toldEpoch' | 'toldVersion'
>

/**
 * Applies the blockchain service's event to an order, as far as events are trusted; otherwise the service is asked at
 * once. Orders of others are ignored. Returns whether the service must be asked.
 */
export async function hearOfSend(tx: Tx, event: ToldState & ChangeMark, now: Date): Promise<boolean> {
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

/** The changes of an order by a send's state. Throws for an impossible state: sent or final without a hash. */
export function stepBy(order: OrderRow, { status, txHash, reason }: SendState, now: Date): Step {
  const change = changeBy(order, { status, txHash, reason })
  const isStep = change.status !== order.status || order.handedAt === null
  // It is no longer lost, and an order under way waits for nothing.
  const waitsFor = change.status === 'accepted' && order.lostAt === null ? order.waitsFor : null
  // An answer has no mark: it is not compared with earlier events.
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
  // A reorganisation reversed it: it is still broadcast, and will be mined again.
  if (status === 'accepted') return { status: order.status, txHash: order.txHash, reason: null }
  if (hash === null) throw new Error(`The blockchain service says that ${order.id} is ${status}, without its hash`)
  return { status, txHash: hash, reason: null }
}
