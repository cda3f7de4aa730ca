import {
  and,
  asc,
  bytesOf,
  type Db,
  deleteBy,
  eq,
  idFloor,
  lt,
  param,
  prepared,
  type Retained,
  rowsOf,
  sql,
  type Tx,
  tested,
} from '@bursar/store'
import { attempts, deliveries } from './deliveries.table'

type Failed = typeof deliveries.$inferSelect

/** Deliveries that succeeded leave with their attempts, and without an archive. One that was sent again is as old as that. */
export const retainedSuccesses: Retained<Pick<Failed, 'id' | 'createdAt' | 'updatedAt'>> = {
  table: 'delivered',
  oldest: (db, { before, limit }) =>
    oldestDelivered(db).execute({ before: idFloor(before), endedBefore: before, limit }),
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  remove: (tx, rows) => removeAs('delivered', tx, rows),
}

/** Failed deliveries leave with their attempts. One that is sent again meanwhile stays, also when it fails again. */
export const retainedFailures: Retained<Failed & { attempts: (typeof attempts.$inferSelect)[] }> = {
  table: 'deliveries',
  async oldest(db, { before, limit }) {
    const failed = await oldestFailed(db).execute({ before: idFloor(before), endedBefore: before, limit })
    const ids = failed.map(({ id }) => id)
    const made = Map.groupBy(await attemptsOf(db, ids), ({ deliveryId }) => deliveryId)
    return failed.map((delivery) => ({ ...delivery, attempts: made.get(delivery.id) ?? [] }))
  },
  sizes: (db, { before, limit }) =>
    oldestFailedSizes(db).execute({ before: idFloor(before), endedBefore: before, limit }),
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  // The caller's headers are encrypted, and may be a secret.
  archived: ({ headers: _, targetId: __, ...delivery }) => delivery,
  remove: (tx, rows) => removeAs('failed', tx, rows),
}

/** Deletes those that are as they were read, with their attempts. */
async function removeAs(
  status: 'delivered' | 'failed',
  tx: Tx,
  rows: readonly Pick<Failed, 'id' | 'updatedAt'>[],
): Promise<number> {
  let gone = 0
  for (const { id, updatedAt } of rows) {
    if ((await deleteIf(tx).execute({ id, status, updatedAt })) === 0) continue
    gone += 1
    await deleteAttemptsOf(tx).execute({ deliveryId: id })
  }
  return gone
}

const isOld = (status: 'delivered' | 'failed') => and(eq(deliveries.status, status), lt(deliveries.id, param('before')))
const oldestDelivered = prepared((db) =>
  db
    .select({ id: deliveries.id, createdAt: deliveries.createdAt, updatedAt: deliveries.updatedAt })
    .from(deliveries)
    .where(and(isOld('delivered'), tested(lt(deliveries.successAt, param('endedBefore')))))
    .orderBy(asc(deliveries.id))
    .limit(param('limit')),
)
const oldestFailed = prepared((db) =>
  db
    .select()
    .from(deliveries)
    .where(and(isOld('failed'), tested(lt(deliveries.failedAt, param('endedBefore')))))
    .orderBy(asc(deliveries.id))
    .limit(param('limit')),
)
/** Of a delivery's attempts, each with up to 1 KB of its answer: there may be dozens, and more of one that was replayed. */
const bytesOfAttempts = (db: Db) =>
  db
    .select({ bytes: sql`coalesce(sum(500 + coalesce(${bytesOf(attempts.answer)}, 0)), 0)` })
    .from(attempts)
    .where(eq(attempts.deliveryId, deliveries.id))
const oldestFailedSizes = prepared((db) =>
  db
    .select({ bytes: sql<number>`${bytesOf(deliveries.body)} + ${bytesOfAttempts(db)}`.mapWith(Number) })
    .from(deliveries)
    .where(and(isOld('failed'), tested(lt(deliveries.failedAt, param('endedBefore')))))
    .orderBy(asc(deliveries.id))
    .limit(param('limit')),
)
const attemptsOf = rowsOf(attempts, 'deliveryId')
const deleteIf = prepared(
  (db) =>
    db
      .delete(deliveries)
      .where(
        and(
          eq(deliveries.id, param('id')),
          tested(eq(deliveries.status, param('status'))),
          tested(eq(deliveries.updatedAt, param('updatedAt'))),
        ),
      ),
  'rows',
)
const deleteAttemptsOf = deleteBy(attempts, 'deliveryId')
