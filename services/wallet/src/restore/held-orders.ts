import { comparableAddress } from '@bursar/contracts/address'
import { getKnownTransfers, getTransactionParties } from '@bursar/contracts/blockchain'
import type { AnswerOf } from '@bursar/contracts/call'
import type { HeldOrder } from '@bursar/contracts/held-orders'
import { formatAmount } from '@bursar/money'
import { and, asc, count, type Db, eq, isNotNull, isNull, lt, ne, or, param, prepared, type Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { contractKey } from '../networks/holdings'
import { judge } from '../orders/fates'
import { changeOrder, getOrder, isEnded, type OrderRow } from '../orders/orders'
import { orders } from '../orders/orders.table'
import { type SignatureRow, signaturesOf } from '../orders/signatures'
import { signatures } from '../orders/signatures.table'
import { findHold, firstIdAt, isHeld, releaseOrder } from './restore-hold'
import { releasedOrders } from './restore-hold.table'

const listed = 500

/** An order that waits, and under which hashes it was signed. */
export interface WaitingOrder {
  order: OrderRow
  why: HeldOrder['why']
  signed: string[]
}

/** The oldest orders that wait for an operator. */
export async function listHeld(db: Db): Promise<WaitingOrder[]> {
  const hold = await findHold(db)
  const restored = hold?.before ? await held(db).execute({ ...sinceOf(hold.before), limit: listed }) : []
  const lost = await lostOrders(db).execute({ limit: listed })
  const byId = new Map<string, Omit<WaitingOrder, 'signed'>>()
  for (const { order } of restored) byId.set(order.id, { order, why: 'restored' })
  for (const order of lost) byId.set(order.id, { order, why: order.signedAt === null ? 'restored' : 'lost' })
  const oldest = [...byId.values()].sort((one, other) => (one.order.id < other.order.id ? -1 : 1)).slice(0, listed)
  return await Promise.all(
    oldest.map(async (each) => ({ ...each, signed: (await signaturesOf(db, each.order.id)).map(hashOf) })),
  )
}

const sinceOf = (before: Date) => ({ before, firstId: firstIdAt(before) })
const hashOf = ({ txHash }: { txHash: string }): string => txHash

/** What health says of orders that wait for an operator; null when none does. */
export async function waitingOrders(db: Db): Promise<string | null> {
  const hold = await findHold(db)
  const [restored] = hold?.before ? await heldCount(db).execute(sinceOf(hold.before)) : []
  const [lost] = await lostCount(db).execute()
  const parts = [
    restored?.orders ? `${restored.orders} orders from before a restore wait for an operator` : '',
    lost?.orders ? `${lost.orders} orders that were signed are unknown to the blockchain service` : '',
  ].filter(Boolean)
  return parts.length === 0 ? null : `${parts.join(', and ')}: bun run wallet:held`
}

/**
 * Carries an order out that an operator found unpaid. What was signed before is looked at all the same: it is signed
 * anew only when no earlier signature can be mined besides.
 */
export async function release(tx: Tx, id: string, now = new Date()): Promise<OrderRow> {
  const order = await heldOrder(tx, id)
  await releaseOrder(tx, id, now)
  return await changeOrder(tx, order, { dueAt: now, attempts: 0, waitsFor: null, lostAt: null, updatedAt: now })
}

/**
 * Records by which transaction an order was paid. 422 unless the chain says so: it goes from the order's payer to its
 * destination, it has paid no other order, and where the order's own signatures or the transfer are known, it is one of
 * them that is final, of the same token and amount.
 */
export async function settle(deps: WalletDeps, id: string, txHash: string): Promise<OrderRow> {
  const { store, client } = deps
  const order = await heldOrder(store.read, id)
  const { network } = order
  const parties = await client.find(getTransactionParties, { params: { network, txHash } })
  if (!parties) throw unpaid(`${network} does not know the transaction ${txHash}`)
  const own = (await signaturesOf(store.read, id)).find((each) => each.txHash === parties.txHash)
  // What it was signed for itself says where it goes; an execution moves nothing to its destination, often.
  const problem = own
    ? await fateProblem(deps, own)
    : (partyProblem(order, parties) ?? (await transferProblem(deps, order, parties.txHash)))
  if (problem !== null) throw unpaid(problem)
  return await store.commit(async (tx) => {
    const current = await heldOrder(tx, id)
    const [other] = await paidBy(tx).execute({ network, txHash: parties.txHash, id })
    if (other) throw unpaid(`${parties.txHash} is the transaction of order ${other.id}`)
    return await changeOrder(tx, current, { status: 'confirmed', txHash: parties.txHash, updatedAt: new Date() })
  })
}

const unpaid = (message: string) => fail('UNPROCESSABLE', { message })

function partyProblem(
  { destination, payer }: OrderRow,
  { txHash, from, to }: AnswerOf<typeof getTransactionParties>,
): string | null {
  const isAmong = (addresses: readonly string[], sought: string) =>
    addresses.some((each) => comparableAddress(each) === comparableAddress(sought))
  if (!isAmong(to, destination)) return `${txHash} does not go to ${destination}`
  return payer === null || isAmong(from, payer) ? null : `${txHash} does not come from ${payer}`
}

async function fateProblem({ fates }: WalletDeps, own: SignatureRow): Promise<string | null> {
  const verdict = await judge(fates, [own])
  return verdict.is === 'paid'
    ? null
    : `${own.txHash} is not final: ${verdict.is === 'open' ? verdict.why : verdict.is}`
}

async function transferProblem(deps: WalletDeps, order: OrderRow, txHash: string): Promise<string | null> {
  const { network, destination, amount, contractAddress } = order
  const [other] = await signedFor(deps.store.read).execute({ network, txHash, id: order.id })
  if (other) return `${txHash} was signed for order ${other.orderId}`
  const [transfers] = (await deps.client.call(getKnownTransfers, { body: { items: [{ network, txHash }] } })).items
  const there = transfers?.filter(({ toAddress }) => comparableAddress(toAddress) === comparableAddress(destination))
  // Of addresses that are not of this deployment nothing more is known than the parties.
  if (!there || there.length === 0) return null
  const isPaid = there.some(
    (each) =>
      each.isFinal &&
      each.amount === amount.toString() &&
      contractKey(each.contractAddress) === contractKey(contractAddress),
  )
  return isPaid ? null : `${txHash} moves another token or amount to ${destination}, or is not final`
}

async function heldOrder(db: Db, id: string): Promise<OrderRow> {
  const order = await getOrder(db, id)
  if (!isEnded(order) && (order.lostAt !== null || (await isHeld(db, order)))) return order
  throw fail('NOT_FOUND', { message: `Order ${id} does not wait for an operator` })
}

/** The record as it goes out. */
export const toHeldOrder = ({ order, why, signed }: WaitingOrder): HeldOrder => ({
  id: order.id,
  network: order.network,
  assetCode: order.assetCode,
  amount: formatAmount(order.amount, order.decimals),
  destinationAddress: order.destination,
  payer: order.payer,
  why,
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
    .limit(param('limit')),
)
const heldCount = prepared((db) =>
  db.select({ orders: count() }).from(orders).leftJoin(releasedOrders, eq(releasedOrders.id, orders.id)).where(waits),
)
const lostOrders = prepared((db) =>
  db.select().from(orders).where(isNotNull(orders.lostAt)).orderBy(asc(orders.id)).limit(param('limit')),
)
const lostCount = prepared((db) => db.select({ orders: count() }).from(orders).where(isNotNull(orders.lostAt)))
/** An operator asks rarely: no index is kept for these two, which each withdrawal would write. */
const paidBy = prepared((db) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.txHash, param('txHash')), eq(orders.network, param('network')), ne(orders.id, param('id'))))
    .limit(1),
)
const signedFor = prepared((db) =>
  db
    .select({ orderId: signatures.orderId })
    .from(signatures)
    .where(
      and(
        eq(signatures.txHash, param('txHash')),
        eq(signatures.network, param('network')),
        ne(signatures.orderId, param('id')),
      ),
    )
    .limit(1),
)
