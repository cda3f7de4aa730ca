import type { Tx } from '@bursar/store'
import { findRefreshToken } from './refresh-tokens'
import { endSession, findSession } from './sessions'

/** Ends the session that a refresh token belongs to, whether it is the last one or not. Nothing happens for any other. */
export async function logout(tx: Tx, token: string, now: Date): Promise<void> {
  const row = await findRefreshToken(tx, token)
  const session = row && (await findSession(tx, row.sessionId))
  if (session) await endSession(tx, session, 'logout', now)
}
