import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { mayLogIn } from '../users/may-log-in'
import { findUser, type UserRow } from '../users/users'
import { findRefreshToken, isRetry, markUsed, type RefreshTokenRow, storeRefreshToken } from './refresh-tokens'
import { dayMs, endSession, findSession, isLive, touchSession } from './sessions'

/** A session of a user with its next refresh token: the result of a login or refresh. */
export interface LoggedIn {
  user: UserRow
  sessionId: string
  refreshToken: string
  /** When the provider verified a second factor of the user; null for none. */
  secondFactorAt: Date | null
}

/**
 * Exchanges a refresh token for its successor. Returns null when it is not valid. A token that was already replaced may
 * have leaked: its session ends, unless the request is a retry because its answer was lost.
 */
export async function refresh(
  tx: Tx,
  { successorsOf, config }: Pick<IdentityManagerDeps, 'successorsOf' | 'config'>,
  token: string,
  now: Date,
): Promise<LoggedIn | null> {
  const row = await findRefreshToken(tx, token)
  const session = row && (await findSession(tx, row.sessionId))
  if (!session || !isLive(session, config.sessionDays * dayMs, now)) return null
  const user = await findUser(tx, session.userId)
  if (!user || !(await mayLogIn(tx, user))) return null
  const successors = successorsOf(token)
  let [refreshToken = ''] = successors
  const sessionId = session.id
  if (row.usedAt === null) {
    if (row.expiresAt <= now) return null
    await markUsed(tx, row, now)
    await storeRefreshToken(tx, refreshToken, { sessionId, idleMs: config.idleDays * dayMs }, now)
  } else {
    const given = await givenOf(tx, row, successors, now)
    if (given === null) {
      await endSession(tx, session, 'reuse', now)
      return null
    }
    refreshToken = given
  }
  await touchSession(tx, session, now)
  return { user, sessionId, refreshToken, secondFactorAt: session.secondFactorAt }
}

/** The successor that a used token was exchanged for a moment ago; null when this is no retry. */
async function givenOf(tx: Tx, row: RefreshTokenRow, successors: readonly string[], now: Date): Promise<string | null> {
  for (const token of successors) if (await isRetry(tx, row, token, now)) return token
  return null
}

/** Ends the session of a refresh token, also of an older one. Does nothing for an unknown token. */
export async function logout(tx: Tx, token: string, now: Date): Promise<void> {
  const row = await findRefreshToken(tx, token)
  const session = row && (await findSession(tx, row.sessionId))
  if (session) await endSession(tx, session, 'logout', now)
}
