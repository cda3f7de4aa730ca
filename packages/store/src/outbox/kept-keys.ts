import { and, asc, gte, isNull, lte } from 'drizzle-orm'
import { idempotencyKeys } from '../schema/shared.table'
import { type Db, param, prepared } from '../statements/statements'

/** An idempotency key that is kept for ever with its answer. */
export interface KeptKey {
  seq: number
  scope: string
  key: string
  requestHash: string
  status: number
  body: string
  headers: Record<string, string> | null
}

/** The idempotency keys without expiry, numbered `from` to `to`, inclusive, in ascending order. */
export const keptKeys = (db: Db, from: number, to: number, limit: number): Promise<KeptKey[]> =>
  keysBetween(db).execute({ from, to, limit })

const { seq } = idempotencyKeys
const keysBetween = prepared((db) =>
  db
    .select({
      seq,
      scope: idempotencyKeys.scope,
      key: idempotencyKeys.key,
      requestHash: idempotencyKeys.requestHash,
      status: idempotencyKeys.status,
      body: idempotencyKeys.body,
      headers: idempotencyKeys.headers,
    })
    .from(idempotencyKeys)
    .where(and(gte(seq, param('from')), lte(seq, param('to')), isNull(idempotencyKeys.expiresAt)))
    .orderBy(asc(seq))
    .limit(param('limit')),
)
