import type { Seal } from '@bursar/http'
import { type Db, eq, param, params, prepared, type Tx } from '@bursar/store'
import { digest, newToken } from '../secret-tokens'
import { refreshTokens } from './sessions.table'

export type RefreshTokenRow = typeof refreshTokens.$inferSelect

/** For so long a used token may come again: its answer was lost, and it gets the same one. */
export const retryMs = 10_000

/** Gives a session its next refresh token. */
export async function issueRefreshToken(tx: Tx, sessionId: string, idleMs: number, now: Date): Promise<string> {
  const token = newToken()
  const row: RefreshTokenRow = {
    hash: digest(token),
    sessionId,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + idleMs),
    usedAt: null,
    successor: null,
    successorHash: null,
  }
  await insertToken(tx).execute(row)
  return token
}

export async function findRefreshToken(db: Db, token: string): Promise<RefreshTokenRow | undefined> {
  return await tokenOf(db, digest(token))
}

/** Replaces a token by its successor, which is sealed for a repeated request. */
export async function replaceRefreshToken(
  tx: Tx,
  { hash, sessionId }: RefreshTokenRow,
  { seal, idleMs }: { seal: Seal; idleMs: number },
  now: Date,
): Promise<string> {
  const token = await issueRefreshToken(tx, sessionId, idleMs, now)
  const successor = seal.seal(token, hash)
  await updateUsed(tx).execute({ hash, usedAt: now, successor, successorHash: digest(token) })
  return token
}

/**
 * The successor of a token that was used a moment ago, as long as nobody has used that one: the request is repeated
 * because its answer was lost. Null when it is a reuse.
 */
export async function successorForRetry(db: Db, row: RefreshTokenRow, seal: Seal, now: Date): Promise<string | null> {
  const { hash, usedAt, successor, successorHash } = row
  if (!usedAt || successor === null || successorHash === null) return null
  if (Math.abs(now.getTime() - usedAt.getTime()) > retryMs) return null
  const next = await tokenOf(db, successorHash)
  return next && next.usedAt === null ? seal.open(successor, hash) : null
}

async function tokenOf(db: Db, hash: string): Promise<RefreshTokenRow | undefined> {
  const [row] = await tokenByHash(db).execute({ hash })
  return row
}

const byHash = eq(refreshTokens.hash, param('hash'))
const insertToken = prepared((db) => db.insert(refreshTokens).values(params(refreshTokens)))
const tokenByHash = prepared((db) => db.select().from(refreshTokens).where(byHash))
const updateUsed = prepared((db) =>
  db
    .update(refreshTokens)
    .set({ usedAt: param('usedAt'), successor: param('successor'), successorHash: param('successorHash') })
    .where(byHash),
)
