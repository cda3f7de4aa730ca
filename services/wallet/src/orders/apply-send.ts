import type { SendState } from '@bursar/contracts/blockchain'
import { judgeEvent, markOf, type ToldState } from '@bursar/contracts/order-states'
import type { ChangeMark } from '@bursar/contracts/replica'
import type { Tx } from '@bursar/store'
import { changeOrders, findOrders, type OrderChange, type OrderRow, orderQueue } from './orders'

type Step = Pick<
  OrderRow,
  'status' | 'txHash' | 'reason' | 'handedAt' | 'attempts' | 'waitsFor' | 'lostAt' | 'toldEpoch' | 'toldVersion'
>

/**
 * Applies the blockchain service's events, of different sends, to the orders, as far as events are trusted; otherwise the
 * service is asked at once. Orders of others are ignored. Returns for each whether the service must be asked.
 */
export async function hearOfSends(tx: Tx, events: readonly (ToldState & ChangeMark)[], now: Date): Promise<boolean[]> {
  const orders = await findOrders(
    tx,
    events.map(({ id }) => id),
  )
  const verdicts = events.map((event) => {
    const order = orders.get(event.id)
    return order ? judgeEvent({ ...order, told: markOf(order) }, event) : 'ignore'
  })
  const changes = events.flatMap((event, i): OrderChange[] => {
    const before = orders.get(event.id)
    if (!before || verdicts[i] !== 'believe') return []
    const { epoch: toldEpoch, version: toldVersion } = event
    return [{ before, change: { ...stepBy(before, event, now), toldEpoch, toldVersion, updatedAt: now } }]
  })
  await changeOrders(tx, changes)
  for (const [i, { id }] of events.entries()) if (verdicts[i] === 'ask') await orderQueue.wake(tx, id, now)
  return verdicts.map((verdict) => verdict === 'ask')
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
