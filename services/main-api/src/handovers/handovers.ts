import {
  and,
  asc,
  type Db,
  eq,
  getTableColumns,
  gt,
  isNull,
  lte,
  or,
  param,
  params,
  prepared,
  sql,
  type Tx,
} from '@bursar/store'
import type { HandoverKind, HandoverStatus } from './handovers.table'
import { handovers } from './handovers.table'

export type HandoverRow = typeof handovers.$inferSelect
export interface HandoverKey {
  participantId: string
  kind: HandoverKind
}

/**
 * How long a worker has a handover for itself: longer than its call can take. After a crash the handover waits for so
 * long.
 */
export const leaseMs = 30_000

/** Notes in this commit that there is something (new) to hand over; the worker does it after the commit. */
export async function requestHandover(tx: Tx, key: HandoverKey, now: Date): Promise<void> {
  const fields = { status: 'pending', leasedUntil: null, attempts: 0, doneAt: null, problem: null }
  await request(tx).execute({ ...key, ...fields, dueAt: now, revision: 1 })
}

/** How far a handover is; undefined where nothing was to be handed over yet. */
export async function findHandover(db: Db, key: HandoverKey): Promise<HandoverRow | undefined> {
  const [row] = await handoverByKey(db).execute({ ...key })
  return row
}

/** The longest pause between two attempts. */
export const longestPauseMs = 5 * 60_000

/** The handovers that are due and that no worker has, those due first before the others. */
export const dueHandovers = (db: Db, limit: number, now: Date): Promise<HandoverKey[]> =>
  due(db).execute({ now, horizon: after(now, leaseMs), dueHorizon: after(now, longestPauseMs), limit })

/** Takes a handover for one attempt; undefined when it is not due any more, or another worker has it. */
export async function takeHandover(tx: Tx, key: HandoverKey, now: Date): Promise<HandoverRow | undefined> {
  const lease = after(now, leaseMs)
  const dueHorizon = after(now, longestPauseMs)
  const [row] = await take(tx).execute({ ...key, now, horizon: lease, dueHorizon, leasedUntil: lease })
  return row
}

/** What came of an attempt. */
export interface Outcome {
  status: HandoverStatus
  /** When it is to be done (again); null for not at all. */
  dueAt: Date | null
  attempts: number
  doneAt: Date | null
  problem: string | null
}

/** Gives a handover back. What came of the attempt counts unless there is something new to hand over since it began. */
export async function giveBack(tx: Tx, row: HandoverRow, outcome: Outcome): Promise<void> {
  const { participantId, kind, revision } = row
  await release(tx).execute({ participantId, kind })
  await settle(tx).execute({ participantId, kind, revision, ...outcome })
}

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

const byKey = and(eq(handovers.participantId, param('participantId')), eq(handovers.kind, param('kind')))
// A lease that ends later than any can was taken before the clock was put back.
const isFree = or(
  isNull(handovers.leasedUntil),
  lte(handovers.leasedUntil, param('now')),
  gt(handovers.leasedUntil, param('horizon')),
)
// So is a pause: nothing that is pending waits longer. What is done may be due again in years, when a key expires.
const isDue = or(
  lte(handovers.dueAt, param('now')),
  and(sql`${handovers.status} = 'pending'`, gt(handovers.dueAt, param('dueHorizon'))),
)

const request = prepared((db) =>
  db
    .insert(handovers)
    .values(params(handovers))
    .onConflictDoUpdate({
      target: [handovers.participantId, handovers.kind],
      // A lease stays: an attempt under way must end before the next one, or its older state could arrive last.
      set: {
        status: param('status'),
        dueAt: param('dueAt'),
        revision: sql`${handovers.revision} + 1`,
        attempts: 0,
        problem: null,
      },
    }),
)
const handoverByKey = prepared((db) => db.select().from(handovers).where(byKey))
const due = prepared((db) =>
  db
    .select({ participantId: handovers.participantId, kind: handovers.kind })
    .from(handovers)
    .where(and(isDue, isFree))
    .orderBy(asc(handovers.dueAt))
    .limit(param('limit')),
)
const take = prepared((db) =>
  db
    .update(handovers)
    .set({ leasedUntil: param('leasedUntil') })
    .where(and(byKey, isDue, isFree))
    .returning(getTableColumns(handovers)),
)
const release = prepared((db) => db.update(handovers).set({ leasedUntil: null }).where(byKey))
const settle = prepared((db) =>
  db
    .update(handovers)
    .set({
      status: param('status'),
      dueAt: param('dueAt'),
      attempts: param('attempts'),
      doneAt: param('doneAt'),
      problem: param('problem'),
    })
    .where(and(byKey, eq(handovers.revision, param('revision')))),
)
