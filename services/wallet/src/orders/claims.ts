import { and, asc, eq, isNotNull, lte, param, prepared, type Store, type Tx } from '@bursar/store'
import { changeOrder, findOrder, isEnded, type OrderRow } from './orders'
import { orders } from './orders.table'

/** How long an order is one worker's alone. A slow attempt that outlives it costs another one, and pays nothing twice. */
export const leaseMs = 15_000

/** The oldest orders that are due, leased in one commit. Should their worker die, they are due again when the lease ends. */
export async function claimOrders(store: Store, now: Date, limit: number): Promise<OrderRow[]> {
  // Most looks find nothing: they take no turn in the commit queue.
  const any = await dueBy(store.read).execute({ now, limit: 1 })
  if (any.length === 0) return []
  return await store.commit(async (tx) => {
    const due = await dueBy(tx).execute({ now, limit })
    const dueAt = new Date(now.getTime() + leaseMs)
    for (const { id } of due) await lease(tx).execute({ id, dueAt })
    return due.map((order) => ({ ...order, dueAt }))
  })
}

/** Ends a lease: the order comes again after a pause that grows while nothing moves. */
export async function putOff(tx: Tx, id: string, now: Date): Promise<void> {
  const order = await findOrder(tx, id)
  if (!order || isEnded(order)) return
  const attempts = order.attempts + 1
  await changeOrder(tx, order, { attempts, dueAt: new Date(now.getTime() + pauseMs(attempts)) })
}

const firstPauseMs = 1000
const longestPauseMs = 60_000

/** Events bring changes sooner; this is for those that are lost, and for what waits. */
export const pauseMs = (attempts: number): number => Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs)

const dueBy = prepared((db) =>
  db
    .select()
    .from(orders)
    .where(and(isNotNull(orders.dueAt), lte(orders.dueAt, param('now'))))
    .orderBy(asc(orders.dueAt))
    .limit(param('limit')),
)
const lease = prepared((db) =>
  db
    .update(orders)
    .set({ dueAt: param('dueAt') })
    .where(eq(orders.id, param('id'))),
)
