import { and, deleteBy, eq, insertInto, lt, or, param, prepared, rowBy, type Tx, updateBy } from '@bursar/store'
import { consoleSessions } from './console-sessions.table'

export type SessionRow = typeof consoleSessions.$inferSelect

const minuteMs = 60_000
/** The life of an unused session, and the maximum life. */
export const idleMs = 30 * minuteMs
export const longestMs = 12 * 60 * minuteMs

/** The minimum interval between recorded uses: a page sends many requests at once. */
const usedPauseMs = 10_000

export const idleUntil = ({ usedAt }: SessionRow): Date => new Date(usedAt.getTime() + idleMs)
export const endsAt = ({ createdAt }: SessionRow): Date => new Date(createdAt.getTime() + longestMs)

/** Whether the session is live. A time in the future was written by a wrong clock that has been corrected. */
export function isLive(row: SessionRow, now: Date): boolean {
  const [createdMs, usedMs] = [row.createdAt, row.usedAt].map((at) => now.getTime() - at.getTime()) as [number, number]
  return createdMs < longestMs && usedMs < idleMs && Math.min(createdMs, usedMs) > -minuteMs
}

export const insertSession = insertInto(consoleSessions)

export const findSession = rowBy(consoleSessions, 'id')

/** Whether to record a use of the session now. */
export const isUseNews = ({ usedAt }: SessionRow, now: Date): boolean => now.getTime() - usedAt.getTime() >= usedPauseMs

export const touchSession = updateBy(consoleSessions, 'id', ['usedAt'])

/** Records that the user verified its second factor. */
export const noteVerified = updateBy(consoleSessions, 'id', ['verifiedAt'])

/** Stores refreshed tokens, unless the session has ended, or another gateway was faster. */
export const storeRefreshed = (
  tx: Tx,
  { id, tokens, user, mustChangePassword }: Pick<SessionRow, 'id' | 'tokens' | 'user' | 'mustChangePassword'>,
  before: string,
): Promise<unknown> => updateTokens(tx).execute({ id, tokens, user, mustChangePassword, before })

export const deleteSession = deleteBy(consoleSessions, 'id')
export const deleteSessionsOf = deleteBy(consoleSessions, 'userId')

/** Deletes expired sessions. */
export const deleteOldSessions = (tx: Tx, now: Date): Promise<unknown> =>
  deleteOver(tx).execute({
    usedBefore: new Date(now.getTime() - idleMs),
    createdBefore: new Date(now.getTime() - longestMs),
  })

const updateTokens = prepared((db) =>
  db
    .update(consoleSessions)
    .set({ tokens: param('tokens'), user: param('user'), mustChangePassword: param('mustChangePassword') })
    .where(and(eq(consoleSessions.id, param('id')), eq(consoleSessions.tokens, param('before')))),
)
const deleteOver = prepared((db) =>
  db
    .delete(consoleSessions)
    .where(or(lt(consoleSessions.usedAt, param('usedBefore')), lt(consoleSessions.createdAt, param('createdBefore')))),
)
