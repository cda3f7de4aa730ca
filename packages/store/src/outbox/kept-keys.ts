import { and, asc, gte, isNull, lte } from 'drizzle-orm'
import { idempotencyKeys } from '../schema/shared.table'
import { type Db, param, prepared } from '../statements/statements'

const { seq, scope, key, requestHash, status, body, headers, expiresAt } = idempotencyKeys
const keysBetween = prepared((db) =>
  db
    .select({ seq, scope, key, requestHash, status, body, headers })
    .from(idempotencyKeys)
    .where(and(gte(seq, param('from')), lte(seq, param('to')), isNull(expiresAt)))
    .orderBy(asc(seq))
    .limit(param('limit')),
)

/** The idempotency keys without expiry, numbered `from` to `to`, inclusive, in ascending order. */
export const keptKeys = (db: Db, from: number, to: number, limit: number) =>
  keysBetween(db).execute({ from, to, limit })

/** An idempotency key that is kept for ever with its answer. */
export type KeptKey = Awaited<ReturnType<typeof keptKeys>>[number]
