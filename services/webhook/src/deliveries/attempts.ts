import { type Db, desc, eq, insertInto, param, prepared, type Tx } from '@bursar/store'
import type { Attempt } from './deliveries.model'
import { attempts } from './deliveries.table'

type AttemptRow = typeof attempts.$inferSelect

/** Stores the outcome of an attempt. */
export const recordAttempt = (
  tx: Tx,
  deliveryId: string,
  { startedAt, durationMs, httpStatus, answer, error }: Omit<AttemptRow, 'id' | 'deliveryId'>,
): Promise<unknown> =>
  insertAttempt(tx).execute({
    id: Bun.randomUUIDv7('hex', startedAt.getTime()),
    deliveryId,
    startedAt,
    durationMs,
    httpStatus,
    answer,
    error,
  })

/** A delivery's attempts, newest first. */
export const readAttempts = (db: Db, deliveryId: string, limit: number): Promise<AttemptRow[]> =>
  attemptsOf(db).execute({ deliveryId, limit })

/** The attempt as the API returns it. */
export const toAttempt = ({ deliveryId: _, startedAt, ...row }: AttemptRow): Attempt => ({
  ...row,
  startedAt: startedAt.toISOString(),
})

const insertAttempt = insertInto(attempts)
const attemptsOf = prepared((db) =>
  db
    .select()
    .from(attempts)
    .where(eq(attempts.deliveryId, param('deliveryId')))
    .orderBy(desc(attempts.id))
    .limit(param('limit')),
)
