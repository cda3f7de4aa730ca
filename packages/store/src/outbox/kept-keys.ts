import { and, asc, gt, isNull, lte } from 'drizzle-orm'
import { idempotencyKeys } from '../schema/shared.table'
import { placeIn } from '../statements/place'
import { type Db, param, prepared } from '../statements/statements'

/** An idempotency key that is kept for ever with its answer, and its place in the order in which such keys were committed. */
export interface KeptKey {
  place: number
  scope: string
  key: string
  requestHash: string
  status: number
  body: string
  headers: Record<string, string> | null
}

/**
 * The idempotency keys without an expiry between two places, oldest first. Such rows are never deleted, so their places are
 * stable.
 */
export const keptKeys = (db: Db, after: number, upTo: number, limit: number): Promise<KeptKey[]> =>
  keysBetween(db).execute({ after, upTo, limit })

const place = placeIn(idempotencyKeys)
const keysBetween = prepared((db) =>
  db
    .select({
      place,
      scope: idempotencyKeys.scope,
      key: idempotencyKeys.key,
      requestHash: idempotencyKeys.requestHash,
      status: idempotencyKeys.status,
      body: idempotencyKeys.body,
      headers: idempotencyKeys.headers,
    })
    .from(idempotencyKeys)
    .where(and(gt(place, param('after')), lte(place, param('upTo')), isNull(idempotencyKeys.expiresAt)))
    .orderBy(asc(place))
    .limit(param('limit')),
)
