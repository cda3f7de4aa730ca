import type { SendState } from '@bursar/contracts/blockchain'
import { and, asc, eq, gt, isNotNull, lte, param, prepared, type Store, type Tx } from '@bursar/store'
import { stepBy } from './apply-send'
import { changeOrder, findOrder, isEnded, type OrderRow } from './orders'
import { orders } from './orders.table'

/** How long an order is one worker's alone. A slow attempt that outlives it costs another one, and pays nothing twice. */
export const leaseMs = 15_000

/**
 * The oldest orders that are due, leased in one commit. Should their worker die, they are due again when the lease ends.
 * Where none is, those that are due further ahead than anything is put off: a clock was wrong when they were.
 */
export async function claimOrders(store: Store, now: Date, limit: number): Promise<OrderRow[]> {
  const horizon = new Date(now.getTime() + longestPauseMs)
  // Most looks find nothing: they take no turn in the commit queue.
  const isDue = (await dueBy(store.read).execute({ now, limit: 1 })).length > 0
  if (!isDue && (await dueBeyond(store.read).execute({ horizon, limit: 1 })).length === 0) return []
  return await store.commit(async (tx) => {
    const due = isDue ? await dueBy(tx).execute({ now, limit }) : await dueBeyond(tx).execute({ horizon, limit })
    const dueAt = new Date(now.getTime() + leaseMs)
    for (const { id } of due) await lease(tx).execute({ id, dueAt })
    return due.map((order) => ({ ...order, dueAt }))
  })
}

/** What an attempt has found: how the blockchain service says that the order stands, or why the order is lost. */
export interface Found {
  state: SendState | null
  lost: string | null
  /** Why it waits for an operator though it is not lost. */
  held: string | null
}

/**
 * Ends a lease, and notes what was found of the order if anything was: the order comes again after a pause that grows
 * while nothing moves.
 */
export async function endAttempt(tx: Tx, id: string, { state, lost, held }: Found, now: Date): Promise<void> {
  const order = await findOrder(tx, id)
  if (!order || isEnded(order)) return
  const step = state && { ...stepBy(order, state, now), updatedAt: now }
  const isLost =
    lost === null ? {} : { waitsFor: order.disownedAt === null ? lost : order.waitsFor, lostAt: order.lostAt ?? now }
  // One that names the operator's command already says more.
  const isHeld = held === null || order.waitsFor?.includes('wallet:held') ? {} : { waitsFor: held }
  const { attempts: before, handedAt } = step ?? order
  const attempts = before + 1
  const pauseMs = pauseAfter(attempts, handedAt === null ? firstPauseMs : firstAskMs)
  await changeOrder(tx, order, { ...step, ...isHeld, ...isLost, attempts, dueAt: new Date(now.getTime() + pauseMs) })
}

const firstPauseMs = 1000
/** Events tell of orders that were handed over; questions are for those that were lost, and must not add to a backlog. */
const firstAskMs = 5000
const longestPauseMs = 60_000

const pauseAfter = (attempts: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** (attempts - 1), longestPauseMs)

const dueBy = prepared((db) =>
  db
    .select()
    .from(orders)
    .where(and(isNotNull(orders.dueAt), lte(orders.dueAt, param('now'))))
    .orderBy(asc(orders.dueAt))
    .limit(param('limit')),
)
const dueBeyond = prepared((db) =>
  db
    .select()
    .from(orders)
    .where(gt(orders.dueAt, param('horizon')))
    .orderBy(asc(orders.dueAt))
    .limit(param('limit')),
)
const lease = prepared((db) =>
  db
    .update(orders)
    .set({ dueAt: param('dueAt') })
    .where(eq(orders.id, param('id'))),
)
