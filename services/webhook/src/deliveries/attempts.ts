import { type Db, desc, eq, insertInto, newId, param, prepared, type Tx } from '@bursar/store'
import { type DeliveryRow, isToOperator, shownUrl } from './deliveries'
import type { Attempt } from './deliveries.model'
import { attempts } from './deliveries.table'

type AttemptRow = typeof attempts.$inferSelect

/** What came of an attempt. */
export type Attempted = Omit<AttemptRow, 'id' | 'deliveryId'>

export const recordAttempt = (tx: Tx, deliveryId: string, attempted: Attempted): Promise<unknown> =>
  insertAttempt(tx).execute({ id: newId(attempted.startedAt), deliveryId, ...attempted })

/** A delivery's attempts, newest first. */
export const readAttempts = (db: Db, deliveryId: string, limit: number): Promise<AttemptRow[]> =>
  attemptsOf(db).execute({ deliveryId, limit })

/**
 * The attempt as the API returns it. Of one at the operator's own receiver an institution sees neither the signature nor the
 * answer, and of the URL the origin.
 */
export function toAttempt(
  { deliveryId, startedAt, url, signature, answer, ...row }: AttemptRow,
  delivery: Pick<DeliveryRow, 'endpointId'>,
  scope: string | null,
): Attempt {
  const isHidden = isToOperator(delivery, scope)
  const signed = { id: deliveryId, at: startedAt, signature: isHidden ? null : signature }
  return {
    ...row,
    answer: isHidden ? null : answer,
    startedAt: startedAt.toISOString(),
    request: url === null ? null : { url: shownUrl({ ...delivery, url }, scope), headers: ourHeaders(signed) },
  }
}

const insertAttempt = insertInto(attempts)
const attemptsOf = prepared((db) =>
  db
    .select()
    .from(attempts)
    .where(eq(attempts.deliveryId, param('deliveryId')))
    .orderBy(desc(attempts.id))
    .limit(param('limit')),
)

/** The headers of an attempt that the service sets (Standard Webhooks); unsigned without a secret. */
export const ourHeaders = ({ id, at, signature }: { id: string; at: Date; signature: string | null }) => ({
  'content-type': 'application/json',
  'webhook-id': id,
  'webhook-timestamp': timestampOf(at),
  ...(signature === null ? {} : { 'webhook-signature': signature }),
})

/** The value of `webhook-timestamp`: seconds since 1970. */
export const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000))
