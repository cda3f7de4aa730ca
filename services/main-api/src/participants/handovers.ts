import {
  and,
  byKey,
  type Db,
  doubling,
  eq,
  param,
  params,
  prepared,
  sql,
  type Tx,
  waitingSince,
  workQueue,
} from '@bursar/store'
import { type HandoverKind, type HandoverStatus, handovers } from './handovers.table'

export type HandoverRow = typeof handovers.$inferSelect
export interface HandoverKey {
  participantId: string
  kind: HandoverKind
}

export const handoverQueue = workQueue(handovers, {
  id: 'id',
  // Longer than a call can take.
  leaseMs: 30_000,
  backoff: doubling(1000, 5 * 60_000),
  farAhead: sql`${handovers.status} = 'done'`,
})

/** Notes in this commit that there is something (new) to hand over; the worker does it after the commit. */
export async function requestHandover(tx: Tx, key: HandoverKey, now: Date): Promise<void> {
  const id = idOf(key)
  await request(tx).execute({ ...key, id, status: 'pending', ...waitingSince(now), revision: 1, doneAt: null })
  await handoverQueue.request(tx, id, now)
}

/** How far a handover is; undefined where nothing was to be handed over yet. */
export async function findHandover(db: Db, key: HandoverKey): Promise<HandoverRow | undefined> {
  const [row] = await handoverById(db).execute({ id: idOf(key) })
  return row
}

/** Notes how far a handover is, unless there is something new to hand over since this row was read. */
export async function noteHandover(
  tx: Tx,
  { id, revision }: HandoverRow,
  standing: { status: HandoverStatus; doneAt: Date | null; lastError: string | null },
): Promise<void> {
  await note(tx).execute({ id, revision, ...standing })
}

const idOf = ({ participantId, kind }: HandoverKey): string => `${participantId}:${kind}`

const request = prepared((db) =>
  db
    .insert(handovers)
    .values(params(handovers))
    .onConflictDoUpdate({
      target: handovers.id,
      // A lease stays: an attempt under way must end before the next one, or its older state could arrive last.
      set: { status: param('status'), revision: sql`${handovers.revision} + 1`, attempts: 0, lastError: null },
    }),
)
const handoverById = byKey(handovers, 'id')
const note = prepared((db) =>
  db
    .update(handovers)
    .set({ status: param('status'), doneAt: param('doneAt'), lastError: param('lastError') })
    .where(and(eq(handovers.id, param('id')), eq(handovers.revision, param('revision')))),
)
