import { and, asc, type Db, eq, gt, isNull, lte, or, param, prepared, type Tx } from '@bursar/store'
import { sagas } from './sagas.table'

/**
 * How long a process may work on a saga without finishing a step. Longer than the calls of a step can take together;
 * after a crash the saga waits for so long.
 */
export const leaseMs = 30_000

/** The longest pause between two attempts. */
export const longestPauseMs = 30_000

/** Claims an unfinished saga for an attempt. False when another process works on it, or it is finished. */
export async function claimSaga(tx: Tx, id: string, now = new Date()): Promise<boolean> {
  const [claimed] = await claim(tx).execute({ id, now, horizon: after(now, leaseMs), leasedUntil: after(now, leaseMs) })
  return claimed !== undefined
}

/** Extends the lease: work goes on. */
export async function extendLease(tx: Tx, id: string, now = new Date()): Promise<void> {
  await extend(tx).execute({ id, leasedUntil: after(now, leaseMs) })
}

/** Gives a saga back after an attempt that did not end it; the worker resumes it after the pause. */
export async function releaseSaga(
  tx: Tx,
  id: string,
  { attempts, pauseMs }: { attempts: number; pauseMs: number },
  now = new Date(),
): Promise<void> {
  await release(tx).execute({ id, attempts, dueAt: after(now, pauseMs) })
}

/** Unfinished sagas that are due and that no process works on, those due first before the others. */
export const dueSagas = (db: Db, limit: number, now = new Date()): Promise<{ id: string }[]> =>
  due(db).execute({ now, limit, horizon: after(now, leaseMs), dueHorizon: after(now, longestPauseMs) })

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

// A lease or a pause that ends later than any can was set before the clock was put back.
const isFree = or(
  isNull(sagas.leasedUntil),
  lte(sagas.leasedUntil, param('now')),
  gt(sagas.leasedUntil, param('horizon')),
)
const isDue = or(lte(sagas.dueAt, param('now')), gt(sagas.dueAt, param('dueHorizon')))

const claim = prepared((db) =>
  db
    .update(sagas)
    .set({ leasedUntil: param('leasedUntil') })
    .where(and(eq(sagas.id, param('id')), isNull(sagas.finishedAt), isFree))
    .returning({ id: sagas.id }),
)
const extend = prepared((db) =>
  db
    .update(sagas)
    .set({ leasedUntil: param('leasedUntil') })
    .where(eq(sagas.id, param('id'))),
)
const release = prepared((db) =>
  db
    .update(sagas)
    .set({ leasedUntil: null, attempts: param('attempts'), dueAt: param('dueAt') })
    .where(eq(sagas.id, param('id'))),
)
const due = prepared((db) =>
  db
    .select({ id: sagas.id })
    .from(sagas)
    .where(and(isNull(sagas.finishedAt), isFree, isDue))
    .orderBy(asc(sagas.dueAt), asc(sagas.id))
    .limit(param('limit')),
)
