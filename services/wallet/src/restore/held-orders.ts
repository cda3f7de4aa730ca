import type { HeldOrder } from '@bursar/contracts/held-orders'
import { formatAmount } from '@bursar/money'
import { and, asc, count, type Db, eq, isNotNull, isNull, lt, or, param, prepared, type Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { disownedBy } from '../orders/disowned'
import { judgeOrder } from '../orders/fates'
import { changeOrder, getOrder, isEnded, type OrderRow, orderQueue, whyWaiting } from '../orders/orders'
import { orders } from '../orders/orders.table'
import { otherPaidBy, provePayment } from '../orders/payment-proof'
import { findHold, firstIdAt, isHeld, releaseOrder } from '../orders/restore-hold'
import { releasedOrders } from '../orders/restore-hold.table'
import { signaturesOf } from '../orders/signatures'

const listed = 500

/** An order that waits, and the hashes of its signatures. */
export interface WaitingOrder {
  order: OrderRow
  why: HeldOrder['why']
  signed: string[]
}

/** The oldest orders that wait for an operator. */
export async function listHeld(db: Db): Promise<WaitingOrder[]> {
  const hold = await findHold(db)
  const restored = hold?.before ? await held(db).execute(sinceOf(hold.before)) : []
  const lost = await lostOrders(db).execute()
  const byId = new Map<string, Omit<WaitingOrder, 'signed'>>()
  for (const { order } of restored) byId.set(order.id, { order, why: 'restored' })
  for (const order of lost) byId.set(order.id, { order, why: order.signedAt === null ? 'restored' : 'lost' })
  for (const order of await disownedOrders(db).execute()) byId.set(order.id, { order, why: 'disowned' })
  const oldest = [...byId.values()].sort((one, other) => (one.order.id < other.order.id ? -1 : 1)).slice(0, listed)
  return await Promise.all(
    oldest.map(async (each) => ({ ...each, signed: (await signaturesOf(db, each.order.id)).map(hashOf) })),
  )
}

const sinceOf = (before: Date) => ({ before, firstId: firstIdAt(before) })
const hashOf = ({ txHash }: { txHash: string }): string => txHash

/** The health sentence about orders that wait for an operator; null for none. */
export async function waitingOrders(db: Db): Promise<string | null> {
  const hold = await findHold(db)
  const [restored] = hold?.before ? await heldCount(db).execute(sinceOf(hold.before)) : []
  const [lost] = await lostCount(db).execute()
  const [disowned] = await disownedCount(db).execute()
  const parts = [
    restored?.orders ? `${restored.orders} orders from before a restore wait for an operator` : '',
    lost?.orders ? `${lost.orders} orders that were signed are unknown to the blockchain service` : '',
    disowned?.orders ? `${disowned.orders} orders that may be paid are unknown to the ledger, or ended there` : '',
  ].filter(Boolean)
  return parts.length === 0 ? null : `${parts.join(', and ')}: bun run wallet:held`
}

/**
 * Releases an order that an operator found unpaid. Earlier signatures are still checked: it is signed again only when
 * none of them can be mined as well.
 */
export async function release(tx: Tx, id: string, now: Date): Promise<OrderRow> {
  const order = await heldOrder(tx, id)
  await releaseOrder(tx, id, now)
  const released = { waitsFor: null, lostAt: null, disownedAt: null, updatedAt: now }
  const row = await changeOrder(tx, order, { ...released, attempts: 0 })
  await orderQueue.wake(tx, id, now)
  return row
}

/**
 * Records the transaction that paid an order. 422 unless the chain proves it: it goes from the order's payer to its
 * destination, it has paid no other order, and, where the order's own signatures or the transfer are known, it is one
 * of them and final, with the same token and amount.
 */
export async function settle(deps: WalletDeps, id: string, txHash: string): Promise<OrderRow> {
  const { store } = deps
  const proof = await provePayment(deps, await heldOrder(store.read, id), txHash)
  if (proof.problem !== null) throw unpaid(proof.problem)
  const paidBy = proof.txHash
  return await store.commit(async (tx) => {
    const current = await heldOrder(tx, id)
    const other = await otherPaidBy(tx, current, paidBy)
    if (other !== null) throw unpaid(`${paidBy} is the transaction of order ${other}`)
    return await changeOrder(tx, current, { status: 'confirmed', txHash: paidBy, updatedAt: deps.clock() })
  })
}

/**
 * Fails an order that the ledger has dropped and an operator gives up. 409 while the ledger orders it, 422 when one of
 * its signatures is final. If it is mined later, the ledger posts the payment from the chain.
 */
export async function giveUp(deps: WalletDeps, id: string): Promise<OrderRow> {
  const { store } = deps
  const order = await heldOrder(store.read, id)
  const disowned = order.kind === 'withdrawal' ? disownedBy(await deps.authorise(id)) : null
  if (!disowned) throw fail('CONFLICT', { message: `The core ledger orders ${id}: release it, or say how it was paid` })
  const { verdict } = await judgeOrder(deps, id)
  if (verdict.is === 'paid') throw unpaid(`It is paid by ${verdict.txHash}: settle it`)
  return await store.commit(async (tx) => {
    const current = await heldOrder(tx, id)
    return await changeOrder(tx, current, {
      status: 'failed',
      reason: `Given up: ${disowned.why}`,
      updatedAt: deps.clock(),
    })
  })
}

const unpaid = (message: string) => fail('UNPROCESSABLE', { message })

async function heldOrder(db: Db, id: string): Promise<OrderRow> {
  const order = await getOrder(db, id)
  const isListed = order.lostAt !== null || order.disownedAt !== null
  if (!isEnded(order) && (isListed || (await isHeld(db, order)))) return order
  throw fail('NOT_FOUND', { message: `Order ${id} does not wait for an operator` })
}

/** The record as the API returns it. */
export const toHeldOrder = ({ order, why, signed }: WaitingOrder): HeldOrder => ({
  id: order.id,
  network: order.network,
  assetCode: order.assetCode,
  amount: formatAmount(order.amount, order.decimals),
  destinationAddress: order.destination,
  payer: order.payer,
  why,
  waitsFor: whyWaiting(order),
  signed,
  createdAt: order.createdAt.toISOString(),
})

const waits = and(
  isNotNull(orders.dueAt),
  or(lt(orders.createdAt, param('before')), lt(orders.id, param('firstId'))),
  isNull(releasedOrders.id),
)
const held = prepared((db) =>
  db
    .select({ order: orders })
    .from(orders)
    .leftJoin(releasedOrders, eq(releasedOrders.id, orders.id))
    .where(waits)
    .orderBy(asc(orders.id))
    .limit(listed),
)
const heldCount = prepared((db) =>
  db.select({ orders: count() }).from(orders).leftJoin(releasedOrders, eq(releasedOrders.id, orders.id)).where(waits),
)
const lostOrders = prepared((db) =>
  db.select().from(orders).where(isNotNull(orders.lostAt)).orderBy(asc(orders.id)).limit(listed),
)
const lostCount = prepared((db) => db.select({ orders: count() }).from(orders).where(isNotNull(orders.lostAt)))
const disownedOrders = prepared((db) =>
  db.select().from(orders).where(isNotNull(orders.disownedAt)).orderBy(asc(orders.id)).limit(listed),
)
/** Without those that are lost as well. */
const disownedCount = prepared((db) =>
  db
    .select({ orders: count() })
    .from(orders)
    .where(and(isNotNull(orders.disownedAt), isNull(orders.lostAt))),
)
