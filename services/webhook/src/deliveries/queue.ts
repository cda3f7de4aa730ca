import {
  and,
  asc,
  type Db,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  param,
  prepared,
  type SQL,
  type Tx,
} from '@bursar/store'
import { type ListedRow, listedColumns } from './deliveries'
import { deliveries } from './deliveries.table'

/** Rows that one commit moves: few, so that other commits never wait long. */
const chunk = 500

/** A target's deliveries that are ready, in the order of their events, without what is sent. */
export const readReady = (db: Db, targetId: string, limit: number): Promise<ListedRow[]> =>
  readyRows(db).execute({ targetId, limit })

/**
 * Makes deliveries ready whose retry is due. One that is due beyond the longest pause was set by a wrong clock that
 * has been corrected since.
 */
export async function promoteDue(
  tx: Tx,
  targetId: string,
  { now, longestMs }: { now: Date; longestMs: number },
): Promise<void> {
  await promoteUpTo(tx).execute({ targetId, now, chunk })
  await promoteBeyond(tx).execute({ targetId, furthest: later(now, longestMs), chunk })
}

/** Fails the waiting deliveries of a closed target. */
export const failWaiting = (tx: Tx, targetId: string, reason: string, now: Date): Promise<unknown> =>
  failPending(tx).execute({ targetId, reason, failedAt: now, chunk })

/**
 * Fails the oldest deliveries that wait too long for an unresponsive target: since they were created, attempted or
 * replayed, for a replayed one may be of any age.
 */
export const failOld = (
  tx: Tx,
  targetId: string,
  { now, giveUpMs }: { now: Date; giveUpMs: number },
): Promise<unknown> =>
  failOldest(tx).execute({
    targetId,
    reason: 'gave up: the receiver has not answered other deliveries for too long',
    failedAt: now,
    before: later(now, -giveUpMs),
    chunk,
  })

/** When a target is due: now, at its next retry, or never (null). */
export async function nextMoment(db: Db, targetId: string, now: Date): Promise<Date | null> {
  const [ready] = await readyRows(db).execute({ targetId, limit: 1 })
  if (ready) return now
  const [row] = await nextRetry(db).execute({ targetId })
  return row?.dueAt ?? null
}

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)

const isPending = and(eq(deliveries.targetId, param('targetId')), eq(deliveries.status, 'pending_retry'))
const isReady = and(isPending, isNull(deliveries.dueAt))

const idsOf = (db: Db, which: SQL | undefined) => db.select({ id: deliveries.id }).from(deliveries).where(which)
/** Reads of a target's queue, which touch only unfinished deliveries. */
export const queueReads = {
  ready: (db: Db) =>
    db.select(listedColumns).from(deliveries).where(isReady).orderBy(asc(deliveries.eventId)).limit(param('limit')),
  nextRetry: (db: Db) =>
    db
      .select({ dueAt: deliveries.dueAt })
      .from(deliveries)
      .where(and(isPending, isNotNull(deliveries.dueAt)))
      .orderBy(asc(deliveries.dueAt))
      .limit(1),
  due: (db: Db) => idsOf(db, and(isPending, lte(deliveries.dueAt, param('now')))).limit(param('chunk')),
  beyond: (db: Db) => idsOf(db, and(isPending, gt(deliveries.dueAt, param('furthest')))).limit(param('chunk')),
  waiting: (db: Db) => idsOf(db, isPending).limit(param('chunk')),
  oldest: (db: Db) => idsOf(db, isReady).orderBy(asc(deliveries.eventId)).limit(param('chunk')),
}
const readyRows = prepared(queueReads.ready)
const nextRetry = prepared(queueReads.nextRetry)
const promote = (which: 'due' | 'beyond') =>
  prepared((db) =>
    db
      .update(deliveries)
      .set({ dueAt: null })
      .where(inArray(deliveries.id, queueReads[which](db))),
  )
const promoteUpTo = promote('due')
const promoteBeyond = promote('beyond')
const failed = {
  status: 'failed' as const,
  lastError: param('reason'),
  failedAt: param('failedAt'),
  updatedAt: param('failedAt'),
}
const failPending = prepared((db) =>
  db
    .update(deliveries)
    .set({ ...failed, dueAt: null })
    .where(inArray(deliveries.id, queueReads.waiting(db))),
)
const failOldest = prepared((db) =>
  db
    .update(deliveries)
    .set(failed)
    .where(and(lt(deliveries.updatedAt, param('before')), inArray(deliveries.id, queueReads.oldest(db)))),
)
