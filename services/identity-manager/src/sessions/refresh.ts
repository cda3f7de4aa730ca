import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { findUser, type UserRow } from '../users/users'
import { findRefreshToken, replaceRefreshToken, successorForRetry } from './refresh-tokens'
import { dayMs, endSession, findSession, isLive, touchSession } from './sessions'

/** What a refresh gives. */
export interface Refreshed {
  user: UserRow
  sessionId: string
  refreshToken: string
}

/**
 * Exchanges a refresh token for its successor. Null when it is not valid. A token that was replaced before is in more
 * hands than one: its session ends, unless the request merely comes again because its answer was lost.
 */
export async function refresh(
  tx: Tx,
  { seal, config }: Pick<IdentityManagerDeps, 'seal' | 'config'>,
  token: string,
  now: Date,
): Promise<Refreshed | null> {
  const row = await findRefreshToken(tx, token)
  const session = row && (await findSession(tx, row.sessionId))
  if (!session || !isLive(session, config.sessionDays * dayMs, now)) return null
  const user = await findUser(tx, session.userId)
  if (user?.status !== 'ACTIVE') return null
  if (row.usedAt) {
    const successor = await successorForRetry(tx, row, seal, now)
    if (successor === null) {
      await endSession(tx, session, 'reuse', now)
      return null
    }
    await touchSession(tx, session, now)
    return { user, sessionId: session.id, refreshToken: successor }
  }
  if (row.expiresAt <= now) return null
  const refreshToken = await replaceRefreshToken(tx, row, { seal, idleMs: config.idleDays * dayMs }, now)
  await touchSession(tx, session, now)
  return { user, sessionId: session.id, refreshToken }
}
