import { and, asc, type Db, eq, gt, isNull, lte, or, param, params, prepared, type Tx } from '@bursar/store'
import { targets } from './targets.table'

export type TargetRow = typeof targets.$inferSelect

/** The target of a fallback URL. */
export const fallbackTarget = (url: string): string => `url:${url}`

/** Something is due for a target; one that is paused stays so. */
export async function wakeTarget(
  tx: Tx,
  { id, endpointId }: Pick<TargetRow, 'id' | 'endpointId'>,
  now: Date,
): Promise<void> {
  const known = await findTarget(tx, id)
  if (!known) {
    const fresh: TargetRow = {
      id,
      endpointId,
      dueAt: now,
      failures: 0,
      pausedUntil: null,
      slow: false,
      leasedBy: null,
      leasedUntil: null,
    }
    await insertTarget(tx).execute(fresh)
    return
  }
  const dueAt = laterOf(now, known.pausedUntil)
  if (known.dueAt === null || known.dueAt > dueAt) await setDue(tx).execute({ id, dueAt })
}

/** Forgets a target's failures and its pause. */
export const resetTarget = (tx: Tx, id: string, now: Date): Promise<unknown> =>
  clearTarget(tx).execute({ id, dueAt: now })

/** The targets with something due that nobody works on, those that have waited longest first. */
export async function dueTargets(
  db: Db,
  { slow, now, leaseMs, longestMs, limit }: Horizon & { slow: boolean; limit: number },
): Promise<string[]> {
  const rows = await due(db).execute({ slow, now, limit, ...horizon({ now, leaseMs, longestMs }) })
  return rows.map(({ id }) => id)
}

export async function findTarget(db: Db, id: string): Promise<TargetRow | undefined> {
  const [row] = await targetById(db).execute({ id })
  return row
}

/** What a target's answers have been like. */
export type Standing = Pick<TargetRow, 'failures' | 'pausedUntil' | 'slow'>

export const storeStanding = (tx: Tx, id: string, { failures, pausedUntil, slow }: Standing): Promise<unknown> =>
  setStanding(tx).execute({ id, failures, pausedUntil, slow })

export const laterOf = (a: Date, b: Date | null): Date => (b !== null && b > a ? b : a)

interface Horizon {
  now: Date
  leaseMs: number
  longestMs: number
}

// What lies further away than anything is ever set was set by a clock that has been put right since.
export const horizon = ({ now, leaseMs, longestMs }: Horizon) => ({
  furthestLease: new Date(now.getTime() + leaseMs),
  furthest: new Date(now.getTime() + longestMs),
})

/** Nobody works on it. */
export const isFree = or(
  isNull(targets.leasedUntil),
  lte(targets.leasedUntil, param('now')),
  gt(targets.leasedUntil, param('furthestLease')),
)
const due = prepared((db) =>
  db
    .select({ id: targets.id })
    .from(targets)
    .where(
      and(
        eq(targets.slow, param('slow')),
        or(lte(targets.dueAt, param('now')), gt(targets.dueAt, param('furthest'))),
        isFree,
      ),
    )
    .orderBy(asc(targets.dueAt))
    .limit(param('limit')),
)
const insertTarget = prepared((db) => db.insert(targets).values(params(targets)))
const targetById = prepared((db) =>
  db
    .select()
    .from(targets)
    .where(eq(targets.id, param('id'))),
)
const setDue = prepared((db) =>
  db
    .update(targets)
    .set({ dueAt: param('dueAt') })
    .where(eq(targets.id, param('id'))),
)
const clearTarget = prepared((db) =>
  db
    .update(targets)
    .set({ dueAt: param('dueAt'), failures: 0, pausedUntil: null, slow: false })
    .where(eq(targets.id, param('id'))),
)
const setStanding = prepared((db) =>
  db
    .update(targets)
    .set({ failures: param('failures'), pausedUntil: param('pausedUntil'), slow: param('slow') })
    .where(eq(targets.id, param('id'))),
)
