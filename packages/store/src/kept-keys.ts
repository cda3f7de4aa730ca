import { and, asc, gt, isNull, lte } from 'drizzle-orm'
import { placeIn } from './place'
import { idempotencyKeys } from './shared.table'
import { type Db, param, prepared } from './statements'

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
 * The idempotency keys that never expire after one place and up to another, oldest first. Neither these rows nor so their
 * places go away.
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
