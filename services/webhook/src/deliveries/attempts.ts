import { type Db, desc, eq, param, params, prepared, type Tx } from '@bursar/store'
import type { Outcome } from '../sending/attempt'
import type { Attempt } from './deliveries.model'
import { attempts } from './deliveries.table'

type AttemptRow = typeof attempts.$inferSelect

/** Keeps what came of an attempt. */
export const recordAttempt = (
  tx: Tx,
  deliveryId: string,
  { startedAt, durationMs, httpStatus, answer, error }: Outcome,
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

/** The attempt as it goes out. */
export const toAttempt = ({ deliveryId: _, startedAt, ...row }: AttemptRow): Attempt => ({
  ...row,
  startedAt: startedAt.toISOString(),
})

const insertAttempt = prepared((db) => db.insert(attempts).values(params(attempts)))
const attemptsOf = prepared((db) =>
  db
    .select()
    .from(attempts)
    .where(eq(attempts.deliveryId, param('deliveryId')))
    .orderBy(desc(attempts.id))
    .limit(param('limit')),
)
