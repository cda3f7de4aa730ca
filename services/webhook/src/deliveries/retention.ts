import {
  and,
  asc,
  deleteBy,
  eq,
  every,
  idFloor,
  inArray,
  lt,
  param,
  prepared,
  type Retained,
  rowsOf,
  type Worker,
} from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { attempts, deliveries } from './deliveries.table'

const everyMs = 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000
/** Deliveries that one commit deletes: few, so that other commits never wait long. */
const chunk = 200

/** Deletes delivered deliveries older than the retention time, with their attempts. */
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
  every(everyMs, (store) => sweepDelivered({ ...deps, store }), {
    log: deps.log,
    name: 'Deleting old deliveries',
    firstMs: 60_000,
    alone: deps.store,
  })

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

type Failed = typeof deliveries.$inferSelect & { attempts: (typeof attempts.$inferSelect)[] }

/** Failed deliveries leave with their attempts. One that is sent again meanwhile stays. */
export const retainedFailures: Retained<Failed> = {
  table: 'deliveries',
  async oldest(db, { before, limit }) {
    const failed = await oldestFailed(db).execute({ before: idFloor(before), limit })
    const made = Map.groupBy(
      await attemptsOf(
        db,
        failed.map(({ id }) => id),
      ),
      ({ deliveryId }) => deliveryId,
    )
    return failed.map((delivery) => ({ ...delivery, attempts: made.get(delivery.id) ?? [] }))
  },
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  // The caller's headers are encrypted, and may be a secret.
  archived: ({ headers: _, targetId: __, ...delivery }) => delivery,
  async remove(tx, rows) {
    for (const { id } of rows) {
      if ((await deleteFailed(tx).execute({ id })) > 0) await deleteAttemptsOf(tx).execute({ deliveryId: id })
    }
  },
}

/** When failed deliveries leave, and where to. */
export const retiredFailures = ({ store, config, now }: Pick<WebhookDeps, 'store' | 'config' | 'now'>) => ({
  store,
  now,
  retained: retainedFailures,
  days: config.failedRetentionDays,
  folder: config.archiveDir,
})

const oldestFailed = prepared((db) =>
  db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.status, 'failed'), lt(deliveries.id, param('before'))))
    .orderBy(asc(deliveries.id))
    .limit(param('limit')),
)
const attemptsOf = rowsOf(attempts, 'deliveryId')
const deleteFailed = prepared(
  (db) => db.delete(deliveries).where(and(eq(deliveries.id, param('id')), eq(deliveries.status, 'failed'))),
  'rows',
)
const deleteAttemptsOf = deleteBy(attempts, 'deliveryId')
