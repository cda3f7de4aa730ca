import {
  and,
  asc,
  byKey,
  type ChunkPlace,
  type Db,
  gt,
  insertInto,
  isNull,
  newId,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { accessTokenMs } from '../keys/signing-keys'
import { deleteChallengesOf } from '../second-factor/challenges'
import { isInTime } from '../secret-tokens'
import { revoke } from './revocations'
import { type EndReason, sessions } from './sessions.table'

export type SessionRow = typeof sessions.$inferSelect

/** The origin of a login. */
export interface Origin {
  address: string | null
  userAgent: string | null
}

export const dayMs = 24 * 60 * 60 * 1000

/** The maximum number of sessions per user: the oldest is ended. */
export const mostSessions = 50

/** The input of a new session. */
export interface NewSession {
  userId: string
  origin: Origin
  lifeMs: number
  viaProvider?: boolean
  secondFactorAt?: Date | null
}

/** Begins a session of a user. */
export async function openSession(
  tx: Tx,
  { userId, origin, lifeMs, viaProvider = false, secondFactorAt = null }: NewSession,
  now: Date,
): Promise<SessionRow> {
  const open = await openSessions(tx, userId)
  for (const oldest of open.slice(0, Math.max(0, open.length - mostSessions + 1))) {
    await endSession(tx, oldest, 'too many', now)
  }
  const row: SessionRow = {
    id: newId(now),
    userId,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
    accessUntil: new Date(now.getTime() + accessTokenMs),
    ...origin,
    endedAt: null,
    endReason: null,
    viaProvider,
    secondFactorAt,
  }
  await insertSession(tx).execute(row)
  return row
}

/** Records that the session got another access token. */
export async function touchSession(tx: Tx, session: SessionRow, now: Date): Promise<void> {
  const accessUntil = laterOf(session.accessUntil, new Date(now.getTime() + accessTokenMs))
  await updateUse(tx).execute({ id: session.id, lastUsedAt: now, accessUntil })
}

/** Ends a session, with the revocation of its access tokens. One that has ended stays as it is. */
export async function endSession(tx: Tx, session: SessionRow, reason: EndReason, now: Date): Promise<void> {
  if (session.endedAt) return
  await updateEnd(tx).execute({ id: session.id, endedAt: now, endReason: reason })
  // The clock may have been ahead when the last token was signed.
  const until = laterOf(session.accessUntil, new Date(now.getTime() + accessTokenMs))
  await revoke(tx, { id: session.id, userId: session.userId, revokedAt: now, until })
}

/** Ends all sessions of a user, and its log-ins that await a code: they would be sessions afterwards. */
export async function endSessionsOf(tx: Tx, userId: string, reason: EndReason, now: Date): Promise<void> {
  await deleteChallengesOf(tx, userId)
  for (const session of await openSessions(tx, userId)) await endSession(tx, session, reason, now)
}

export const findSession = rowBy(sessions, 'id')

/** The sessions of a user that were not ended, oldest first; they may have expired. */
export const openSessions = (db: Db, userId: string): Promise<SessionRow[]> => sessionsOfUser(db).execute({ userId })

/** Sessions of all users that were not ended, in the order of their ids, after an id ('' at first). */
export const openSessionsAfter = (db: Db, { after, limit }: ChunkPlace<string>): Promise<SessionRow[]> =>
  sessionsAfter(db).execute({ after, limit })

/** Whether the session is live. */
export const isLive = (row: SessionRow, lifeMs: number, now: Date): boolean =>
  row.endedAt === null && isInTime(row, lifeMs + dayMs, now)

/** The session as the API returns it. */
export const toSession = (row: SessionRow) => ({
  id: row.id,
  userId: row.userId,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  address: row.address,
  userAgent: row.userAgent,
})

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other)

const insertSession = insertInto(sessions)
const sessionsOfUser = byKey(sessions, 'userId', { only: isNull(sessions.endedAt), order: 'id' })
const sessionsAfter = prepared((db) =>
  db
    .select()
    .from(sessions)
    .where(and(gt(sessions.id, param('after')), isNull(sessions.endedAt)))
    .orderBy(asc(sessions.id))
    .limit(param('limit')),
)
const updateUse = updateBy(sessions, 'id', ['lastUsedAt', 'accessUntil'])
const updateEnd = updateBy(sessions, 'id', ['endedAt', 'endReason'])
