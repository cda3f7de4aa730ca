import { canMove, isFinal, isTold } from '@bursar/contracts/order-states'
import type { ChangeMark } from '@bursar/contracts/replica'
import { ExecutionChanged, WithdrawalChanged, type WithdrawalState } from '@bursar/contracts/wallet'
import {
  changedRecords,
  type Db,
  doubling,
  emitAll,
  insertAll,
  rowBy,
  rowsOf,
  type Tx,
  updateAll,
  workQueue,
} from '@bursar/store'
import { fail } from '../errors'
import { orders } from './orders.table'

export type OrderRow = typeof orders.$inferSelect

/** Orders that have not ended. An attempt that outlives its lease causes another one, but nothing is paid twice. */
export const orderQueue = workQueue(orders, { id: 'id', leaseMs: 15_000, backoff: doubling(1000, 60_000) })

/** What `withdrawalChanges` lists, the ledger's withdrawals: others have no mark. */
export const withdrawalRecords = changedRecords('withdrawal', orders)

export function toState(order: OrderRow): WithdrawalState {
  const { id, status, txHash, reason, lostAt, disownedAt } = order
  // A broadcast order waits only for the chain, unless it is lost.
  const isWaiting = status === 'accepted' || lostAt !== null || disownedAt !== null
  const waitsFor = isWaiting ? whyWaiting(order) : null
  return { id, status, txHash, reason, ...(waitsFor === null ? {} : { waitsFor }) }
}

/** Why a tried order is not broadcast; null if it is, or has ended. */
export function whyWaiting(order: OrderRow): string | null {
  if (isEnded(order)) return null
  if (order.waitsFor !== null) return order.waitsFor
  if (order.handedAt !== null || order.attempts === 0) return null
  if (order.payer !== null) return 'The blockchain service has not taken it'
  return 'No address was found that can pay it: top up the account’s wallet or the deployment’s own address'
}

/** Whether its outcome is final. */
export const isEnded = ({ status }: Pick<OrderRow, 'status'>): boolean => isFinal(status)

export const findOrder = rowBy(orders, 'id')

/** Those of the ids that are known, by id. */
export async function findOrders(db: Db, ids: readonly string[]): Promise<Map<string, OrderRow>> {
  return new Map((await ordersById(db, ids)).map((row) => [row.id, row]))
}

/** Fails with 404 when there is no such order. */
export async function getOrder(db: Db, id: string, kind?: OrderRow['kind']): Promise<OrderRow> {
  const row = await findOrder(db, id)
  if (!row || (kind && row.kind !== kind)) throw fail('NOT_FOUND', { message: `No order of the id ${id} is known` })
  return row
}

/**
 * Stores a new order. The caller's answer tells that it was accepted; an event follows when it is broadcast or has
 * ended.
 */
export async function addOrder(tx: Tx, row: OrderRow): Promise<OrderRow> {
  await addOrders(tx, [row])
  return row
}

/** The same for many. `asOwn`: each event is found under the id of its order. */
export async function addOrders(tx: Tx, rows: readonly OrderRow[], asOwn = false): Promise<void> {
  if (rows.length === 0) return
  await insertOrders(tx, rows)
  await announce(tx, rows, asOwn)
}

/** A change of an order as it stands. */
export interface OrderChange {
  before: OrderRow
  change: Partial<OrderRow>
}

/** Stores a changed order, with an event for changes visible to others. An ended order cannot change. */
export async function changeOrder(tx: Tx, before: OrderRow, change: Partial<OrderRow>): Promise<OrderRow> {
  const [row] = await changeOrders(tx, [{ before, change }])
  return row as OrderRow
}

/** The same for many different orders; gives them in the same sequence. */
export async function changeOrders(tx: Tx, changes: readonly OrderChange[]): Promise<OrderRow[]> {
  const rows = changes.map(changed)
  for (const [update, some] of Map.groupBy(rows, (_, i) => updateFor((changes[i] as OrderChange).change))) {
    await update(tx, some)
  }
  const seen = rows.filter((row, i) => !isSame(toState(row), toState((changes[i] as OrderChange).before)))
  if (seen.length > 0) await announce(tx, seen)
  return rows
}

function changed({ before, change }: OrderChange): OrderRow {
  if (isEnded(before)) throw new Error(`Order ${before.id} has ended; it cannot change any more`)
  const row = { ...before, ...change }
  if (row.status !== before.status && !canMove(before.status, row.status)) {
    throw new Error(`Order ${before.id} is ${before.status} and cannot become ${row.status}`)
  }
  return isEnded(row) ? Object.assign(row, over) : row
}

/** The work columns of an ended order. */
const over = { dueAt: null, leasedUntil: null, lastError: null, waitsFor: null, lostAt: null, disownedAt: null }

const isSame = (one: WithdrawalState, other: WithdrawalState): boolean =>
  one.status === other.status &&
  one.txHash === other.txHash &&
  one.reason === other.reason &&
  one.waitsFor === other.waitsFor

async function announce(tx: Tx, rows: readonly OrderRow[], asOwn = false): Promise<void> {
  const { withdrawal = [], execution = [] } = Object.groupBy(rows, ({ kind }) => kind)
  const marks = await withdrawalRecords.markAll(
    tx,
    withdrawal.map(({ id }) => id),
  )
  const about = ({ id, updatedAt }: OrderRow) => ({ at: updatedAt, ...(asOwn && { requestId: id }) })
  const paid = withdrawal.flatMap((row, i) => {
    const state = toState(row)
    return isTold(state) ? [{ data: { ...state, ...(marks[i] as ChangeMark) }, ...about(row) }] : []
  })
  const executed = execution.flatMap((row) => {
    const state = toState(row)
    const { accountId, network } = row
    return isTold(state) ? [{ data: { ...state, accountId, network }, ...about(row) }] : []
  })
  await emitAll(tx, WithdrawalChanged, paid)
  await emitAll(tx, ExecutionChanged, executed)
}

/** What a send's state changes. */
const told = [
  'status',
  'txHash',
  'reason',
  'waitsFor',
  'lostAt',
  'handedAt',
  'toldEpoch',
  'toldVersion',
  'updatedAt',
] as const
/** The columns of the queue. */
const queued = ['dueAt', 'leasedUntil', 'lastError'] as const

const insertOrders = insertAll(orders)
const ordersById = rowsOf(orders, 'id')

/** A column that is named is written to the indexes that have it, changed or not: the usual steps name few. */
const updates = [
  ['payer', 'feePayer', 'chain', 'updatedAt'] as const,
  ['signedAt', 'waitsFor', 'disownedAt', 'updatedAt'] as const,
  [...told, 'attempts'] as const,
  [...told, 'attempts', 'payer', 'feePayer', 'chain', 'signedAt', 'disownedAt', ...queued] as const,
].map((names) => ({ names: new Set<string>(names), update: updateAll(orders, 'id', names) }))
type Update = (typeof updates)[number]['update']

/** An order that ends gives up its place in the queue. */
function updateFor(change: Partial<OrderRow>): Update {
  const isEnd = change.status !== undefined && isFinal(change.status)
  const names = [...Object.keys(change), ...(isEnd ? queued : [])]
  const found = updates.find((each) => names.every((name) => each.names.has(name)))
  if (!found) throw new Error(`An order’s ${names.join(', ')} do not change together`)
  return found.update
}
