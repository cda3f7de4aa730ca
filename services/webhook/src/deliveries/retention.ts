import { and, asc, deleteBy, eq, idFloor, lt, param, prepared, type Retained, rowsOf, type Tx } from '@bursar/store'
import { attempts, deliveries } from './deliveries.table'

/** Deliveries that succeeded leave with their attempts, and without an archive. */
export const retainedSuccesses: Retained<{ id: string; createdAt: Date }> = {
  table: 'delivered',
  oldest: (db, { before, limit }) => oldestDelivered(db).execute({ before: idFloor(before), limit }),
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  remove: (tx, rows) => removeAs('delivered', tx, rows),
}

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
  remove: (tx, rows) => removeAs('failed', tx, rows),
}

/** Deletes those that still have the status, with their attempts. */
async function removeAs(status: 'delivered' | 'failed', tx: Tx, rows: readonly { id: string }[]): Promise<number> {
  let gone = 0
  for (const { id } of rows) {
    if ((await deleteIf(tx).execute({ id, status })) === 0) continue
    gone += 1
    await deleteAttemptsOf(tx).execute({ deliveryId: id })
  }
  return gone
}

const oldestDelivered = prepared((db) =>
  db
    .select({ id: deliveries.id, createdAt: deliveries.createdAt })
    .from(deliveries)
    .where(and(eq(deliveries.status, 'delivered'), lt(deliveries.id, param('before'))))
    .orderBy(asc(deliveries.id))
    .limit(param('limit')),
)
const oldestFailed = prepared((db) =>
  db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.status, 'failed'), lt(deliveries.id, param('before'))))
    .orderBy(asc(deliveries.id))
    .limit(param('limit')),
)
const attemptsOf = rowsOf(attempts, 'deliveryId')
const deleteIf = prepared(
  (db) => db.delete(deliveries).where(and(eq(deliveries.id, param('id')), eq(deliveries.status, param('status')))),
  'rows',
)
const deleteAttemptsOf = deleteBy(attempts, 'deliveryId')
