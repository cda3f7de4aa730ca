import { canMove, isFinal, isTold } from '@bursar/contracts/order-states'
import { ExecutionChanged, WithdrawalChanged, type WithdrawalState } from '@bursar/contracts/wallet'
import { byKey, changedRecords, type Db, doubling, emit, insertInto, type Tx, updateBy, workQueue } from '@bursar/store'
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

export async function findOrder(db: Db, id: string): Promise<OrderRow | undefined> {
  const [row] = await orderById(db).execute({ id })
  return row
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
  await insertOrder(tx).execute(row)
  await announce(tx, row)
  return row
}

/** Stores a changed order, with an event for changes visible to others. An ended order cannot change. */
export async function changeOrder(tx: Tx, before: OrderRow, change: Partial<OrderRow>): Promise<OrderRow> {
  if (isEnded(before)) throw new Error(`Order ${before.id} has ended; it cannot change any more`)
  const row = { ...before, ...change }
  if (row.status !== before.status && !canMove(before.status, row.status)) {
    throw new Error(`Order ${before.id} is ${before.status} and cannot become ${row.status}`)
  }
  if (isEnded(row)) Object.assign(row, over)
  await updateOrder(tx).execute(row)
  if (!isSame(toState(row), toState(before))) await announce(tx, row)
  return row
}

/** The work columns of an ended order. */
const over = { dueAt: null, leasedUntil: null, lastError: null, waitsFor: null, lostAt: null, disownedAt: null }

const isSame = (one: WithdrawalState, other: WithdrawalState): boolean =>
  one.status === other.status &&
  one.txHash === other.txHash &&
  one.reason === other.reason &&
  one.waitsFor === other.waitsFor

async function announce(tx: Tx, row: OrderRow): Promise<void> {
  const { kind, accountId, network, updatedAt } = row
  const mark = kind === 'withdrawal' ? await withdrawalRecords.mark(tx, row.id) : null
  const state = toState(row)
  if (!isTold(state)) return
  if (mark) await emit(tx, WithdrawalChanged, { ...state, ...mark }, updatedAt)
  else await emit(tx, ExecutionChanged, { ...state, accountId, network }, updatedAt)
}

const insertOrder = insertInto(orders)
const orderById = byKey(orders, 'id')
const updateOrder = updateBy(orders, 'id', [
  'status',
  'txHash',
  'reason',
  'payer',
  'feePayer',
  'chain',
  'signedAt',
  'waitsFor',
  'lostAt',
  'disownedAt',
  'handedAt',
  'toldEpoch',
  'toldVersion',
  'dueAt',
  'leasedUntil',
  'attempts',
  'lastError',
  'updatedAt',
])
