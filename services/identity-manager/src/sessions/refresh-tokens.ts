import { type Db, insertInto, rowBy, type Tx, updateBy } from '@bursar/store'
import { digest } from '../secret-tokens'
import { refreshTokens } from './sessions.table'

export type RefreshTokenRow = typeof refreshTokens.$inferSelect

/** How long a used token may be repeated, with the same answer, in case the first was lost. */
export const retryMs = 10_000

/** Stores the next refresh token of a session, by its digest. */
export const storeRefreshToken = (
  tx: Tx,
  token: string,
  { sessionId, idleMs }: { sessionId: string; idleMs: number },
  now: Date,
): Promise<unknown> =>
  insertToken(tx).execute({
    hash: digest(token),
    sessionId,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + idleMs),
    usedAt: null,
  })

export const findRefreshToken = (db: Db, token: string): Promise<RefreshTokenRow | undefined> =>
  tokenByHash(db, digest(token))

export const markUsed = (tx: Tx, { hash }: RefreshTokenRow, now: Date): Promise<unknown> =>
  updateUsed(tx).execute({ hash, usedAt: now })

/**
 * Whether the use of a used token is a retry: it was used a moment ago, and its successor is unused. Anything
 * else is a reuse.
 */
export async function isRetry(db: Db, { usedAt }: RefreshTokenRow, successor: string, now: Date): Promise<boolean> {
  if (!usedAt || Math.abs(now.getTime() - usedAt.getTime()) > retryMs) return false
  const next = await findRefreshToken(db, successor)
  return next !== undefined && next.usedAt === null
}

const insertToken = insertInto(refreshTokens)
const tokenByHash = rowBy(refreshTokens, 'hash')
const updateUsed = updateBy(refreshTokens, 'hash', ['usedAt'])
