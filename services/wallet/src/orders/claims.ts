import { and, asc, eq, isNotNull, lte, param, prepared, type Store, type Tx } from '@bursar/store'
import { changeOrder, findOrder, isEnded, type OrderRow } from './orders'
import { orders } from './orders.table'

/** How long an order is one worker's alone; longer than all the calls of one attempt may take. */
export const leaseMs = 60_000

/** The oldest order that is due, leased; undefined when none is. Should its worker die, it is due again when the lease ends. */
export async function claimOrder(store: Store, now: Date): Promise<OrderRow | undefined> {
  // Most looks find nothing: they take no turn in the commit queue.
  const [any] = await dueBy(store.read).execute({ now })
  if (!any) return undefined
  return await store.commit(async (tx) => {
    const [due] = await dueBy(tx).execute({ now })
    if (!due) return undefined
    const dueAt = new Date(now.getTime() + leaseMs)
    await lease(tx).execute({ id: due.id, dueAt })
    return { ...due, dueAt }
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
    .limit(1),
)
const lease = prepared((db) =>
  db
    .update(orders)
    .set({ dueAt: param('dueAt') })
    .where(eq(orders.id, param('id'))),
)
