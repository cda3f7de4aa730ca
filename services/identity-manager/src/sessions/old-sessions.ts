import { asc, inArray, lt, param, prepared, type Tx } from '@bursar/store'
import { refreshTokens, sessions } from './sessions.table'

const dayMs = 24 * 60 * 60 * 1000
/** How long expired sessions are kept, as a record of log-ins. */
const keptMs = 30 * dayMs
/** Rows that one commit deletes: few, so that other commits never wait long. */
const chunk = 200

/** Deletes some old sessions and refresh tokens. Returns true when there may be more. */
export async function deleteOldSessions(tx: Tx, now: Date): Promise<boolean> {
  const ended = await deleteSessions(tx).execute({ before: new Date(now.getTime() - keptMs), chunk })
  const tokens = await deleteTokens(tx).execute({ before: new Date(now.getTime() - dayMs), chunk })
  return ended.length === chunk || tokens.length === chunk
}

const deleteSessions = prepared((db) => {
  const old = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(lt(sessions.expiresAt, param('before')))
    .orderBy(asc(sessions.expiresAt))
    .limit(param('chunk'))
  return db.delete(sessions).where(inArray(sessions.id, old)).returning({ id: sessions.id })
})
const deleteTokens = prepared((db) => {
  const old = db
    .select({ hash: refreshTokens.hash })
    .from(refreshTokens)
    .where(lt(refreshTokens.expiresAt, param('before')))
    .orderBy(asc(refreshTokens.expiresAt))
    .limit(param('chunk'))
  return db.delete(refreshTokens).where(inArray(refreshTokens.hash, old)).returning({ hash: refreshTokens.hash })
})
