import { type Db, desc, eq, insertInto, newId, param, prepared, type Tx } from '@bursar/store'
import type { Attempt } from './deliveries.model'
import { attempts } from './deliveries.table'
import { ourHeaders } from './our-headers'

type AttemptRow = typeof attempts.$inferSelect

/** Stores the outcome of an attempt. */
export const recordAttempt = (
  tx: Tx,
  deliveryId: string,
  { startedAt, durationMs, httpStatus, url, signature, answer, error }: Omit<AttemptRow, 'id' | 'deliveryId'>,
): Promise<unknown> =>
  insertAttempt(tx).execute({
    id: newId(startedAt),
    deliveryId,
    startedAt,
    durationMs,
    httpStatus,
    url,
    signature,
    answer,
    error,
  })

/** A delivery's attempts, newest first. */
export const readAttempts = (db: Db, deliveryId: string, limit: number): Promise<AttemptRow[]> =>
  attemptsOf(db).execute({ deliveryId, limit })

/** The attempt as the API returns it. */
export const toAttempt = ({ deliveryId, startedAt, url, signature, ...row }: AttemptRow): Attempt => ({
  ...row,
  startedAt: startedAt.toISOString(),
  request: url === null ? null : { url, headers: ourHeaders({ id: deliveryId, at: startedAt, signature }) },
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
