import {
  and,
  type Db,
  doubling,
  eq,
  param,
  params,
  prepared,
  rowBy,
  sql,
  type Tx,
  waitingSince,
  workQueue,
} from '@bursar/store'
import { type HandoverStatus, handovers } from './handovers.table'

export type HandoverRow = typeof handovers.$inferSelect
type HandoverKey = Pick<HandoverRow, 'participantId' | 'kind'>

export const handoverQueue = workQueue(handovers, {
  id: 'id',
  // Longer than a call can take.
  leaseMs: 30_000,
  backoff: doubling(1000, 5 * 60_000),
  farAhead: sql`${handovers.status} = 'done'`,
})

/** Requests a handover in this commit; the worker carries it out afterwards. */
export async function requestHandover(tx: Tx, key: HandoverKey, now: Date): Promise<void> {
  const id = idOf(key)
  await request(tx).execute({ ...key, id, status: 'pending', ...waitingSince(now), revision: 1, doneAt: null })
  await handoverQueue.request(tx, id, now)
}

/** The state of a handover; undefined before its first request. */
export const findHandover = (db: Db, key: HandoverKey): Promise<HandoverRow | undefined> => handoverById(db, idOf(key))

/** Stores the state of a handover, unless it was requested again since this row was read. */
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
      // The lease is kept: a running attempt must end before the next one, or its older state could arrive last.
      set: { status: param('status'), revision: sql`${handovers.revision} + 1`, attempts: 0, lastError: null },
    }),
)
const handoverById = rowBy(handovers, 'id')
const note = prepared((db) =>
  db
    .update(handovers)
    .set({ status: param('status'), doneAt: param('doneAt'), lastError: param('lastError') })
    .where(and(eq(handovers.id, param('id')), eq(handovers.revision, param('revision')))),
)
