import { comparableAddress } from '@bursar/contracts/address'
import { getTransactionParties } from '@bursar/contracts/blockchain'
import type { HeldOrder } from '@bursar/contracts/wallet'
import { formatAmount } from '@bursar/money'
import { and, asc, count, type Db, eq, isNotNull, isNull, lt, or, param, prepared, type Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { changeOrder, getOrder, isEnded, type OrderRow } from '../orders/orders'
import { orders } from '../orders/orders.table'
import { findHold, firstIdAt, isHeld, releaseOrder } from './restore-hold'
import { releasedOrders } from './restore-hold.table'

const listed = 500

/** The oldest orders that wait for an operator. */
export async function listHeld(db: Db): Promise<OrderRow[]> {
  const hold = await findHold(db)
  if (!hold?.before) return []
  const rows = await held(db).execute({ before: hold.before, firstId: firstIdAt(hold.before), limit: listed })
  return rows.map(({ order }) => order)
}

export async function countHeld(db: Db): Promise<number> {
  const hold = await findHold(db)
  if (!hold?.before) return 0
  const [row] = await heldCount(db).execute({ before: hold.before, firstId: firstIdAt(hold.before) })
  return row?.orders ?? 0
}

/** Carries an order out that an operator found unpaid. */
export async function release(tx: Tx, id: string, now = new Date()): Promise<OrderRow> {
  const order = await heldOrder(tx, id)
  await releaseOrder(tx, id, now)
  return await changeOrder(tx, order, { dueAt: now, attempts: 0, updatedAt: now })
}

/** Records by which transaction an order was paid, once the chain says that it went to the order's destination. */
export async function settle({ store, client }: WalletDeps, id: string, txHash: string): Promise<OrderRow> {
  const { network, destination } = await heldOrder(store.read, id)
  const parties = await client.find(getTransactionParties, { params: { network, txHash } })
  if (!parties) throw fail('UNPROCESSABLE', { message: `${network} does not know the transaction ${txHash}` })
  const paid = parties.to.some((each) => comparableAddress(each) === comparableAddress(destination))
  if (!paid) throw fail('UNPROCESSABLE', { message: `${txHash} does not go to ${destination}` })
  return await store.commit(async (tx) => {
    const order = await heldOrder(tx, id)
    return await changeOrder(tx, order, { status: 'confirmed', txHash: parties.txHash, updatedAt: new Date() })
  })
}

async function heldOrder(db: Db, id: string): Promise<OrderRow> {
  const order = await getOrder(db, id)
  if (!isEnded(order) && (await isHeld(db, order))) return order
  throw fail('NOT_FOUND', { message: `Order ${id} does not wait for an operator` })
}

/** The record as it goes out. */
export const toHeldOrder = (order: OrderRow): HeldOrder => ({
  id: order.id,
  network: order.network,
  assetCode: order.assetCode,
  amount: formatAmount(order.amount, order.decimals),
  destinationAddress: order.destination,
  payer: order.payer,
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
    .limit(param('limit')),
)
const heldCount = prepared((db) =>
  db.select({ orders: count() }).from(orders).leftJoin(releasedOrders, eq(releasedOrders.id, orders.id)).where(waits),
)
