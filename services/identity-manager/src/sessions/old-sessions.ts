import { deleteSome } from '../delete-some'
import { refreshTokens, sessions } from './sessions.table'

const dayMs = 24 * 60 * 60 * 1000

/** Deletes expired sessions; they are kept for a time, as a record of log-ins. */
export const deleteOldSessions = deleteSome(sessions, { key: sessions.id, at: sessions.expiresAt, keptMs: 30 * dayMs })
export const deleteOldRefreshTokens = deleteSome(refreshTokens, {
  key: refreshTokens.hash,
  at: refreshTokens.expiresAt,
  keptMs: dayMs,
})
