import { and, asc, eq, every, idFloor, inArray, lt, param, prepared, type Worker } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { attempts, deliveries } from './deliveries.table'

const everyMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
/** Deliveries that one commit deletes: few, so that other commits never wait long. */
const chunk = 200

/** Deletes delivered deliveries older than the retention time, with their attempts. Failed ones stay. */
export async function sweepDelivered({ store, config, now }: Pick<WebhookDeps, 'store' | 'config' | 'now'>) {
  const before = idFloor(new Date(now().getTime() - config.retentionDays * dayMs))
  let more = true
  while (more) {
    more = await store.commit(async (tx) => {
      await deleteAttempts(tx).execute({ before, chunk })
      const removed = await deleteDelivered(tx).execute({ before, chunk })
      return removed.length === chunk
    })
  }
}

/** Sweeps every hour. */
export const startRetention = (deps: WebhookDeps): Worker =>
  every(everyMs, () => sweepDelivered(deps), { log: deps.log, name: 'Deleting old deliveries', firstMs: 60_000 })

const oldest = (db: Parameters<Parameters<typeof prepared>[0]>[0]) =>
  db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.status, 'delivered'), lt(deliveries.id, param('before'))))
    .orderBy(asc(deliveries.id))
    .limit(param('chunk'))
const deleteAttempts = prepared((db) => db.delete(attempts).where(inArray(attempts.deliveryId, oldest(db))))
const deleteDelivered = prepared((db) =>
  db
    .delete(deliveries)
    .where(inArray(deliveries.id, oldest(db)))
    .returning({ id: deliveries.id }),
)
