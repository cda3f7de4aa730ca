import { AppError, isCallError, sha256 } from '@bursar/http'
import type { VerifiedToken } from '../access/tokens'
import { fail } from '../errors'
import { deleteSession, findSession, isLive, isUseNews, type SessionRow, touchSession } from './console-sessions'
import { idOf, secretIn } from './cookie'
import { createRefresh } from './refresh-session'
import { openTokens } from './sealed-tokens'
import { loggedOut, type Session, type SessionDeps, toSession } from './session'

/** An access token that expires sooner is refreshed, since the request may take a while. */
const aheadMs = 60_000

/** The sessions of requests. */
export function createCurrentSessions(deps: SessionDeps) {
  const { store, now, tokens, revocations, institutions, sessionSeal } = deps
  const { refresh, renew } = createRefresh(deps)

  async function liveRow(id: string): Promise<SessionRow> {
    const row = await findSession(store.read, id)
    if (!row) throw loggedOut()
    const { participantId } = row.user
    const hasEnded = participantId !== null && (await institutions.stateOf(participantId)) === 'ended'
    if (!hasEnded && isLive(row, now()) && !revocations.has(row.sessionId)) return row
    await store.commit((tx) => deleteSession(tx).execute({ id }))
    throw loggedOut()
  }

  /** Null for an invalid token: it has expired, or its key was dropped. */
  async function tokenOf({ id, tokens: sealed }: SessionRow): Promise<VerifiedToken | null> {
    const opened = openTokens(sessionSeal, id, sealed)
    if (!opened) throw loggedOut()
    const digest = sha256(opened.accessToken)
    try {
      return tokens.known(digest) ?? (await tokens.verify(opened.accessToken, digest))
    } catch (error) {
      if (error instanceof AppError && error.status === 401) return null
      throw error
    }
  }

  async function verified(row: SessionRow): Promise<Session> {
    const token = await tokenOf(row)
    if (token && token.expiresAtMs - now().getTime() > aheadMs) return toSession(row, token)
    try {
      const next = await refresh(row)
      const fresh = await tokenOf(next)
      if (!fresh) throw loggedOut()
      return toSession(next, fresh)
    } catch (error) {
      if (!isCallError(error)) throw error
      // The token is valid for some more seconds, in which the identity manager may recover.
      if (token) return toSession(row, token)
      throw fail('SERVICE_UNAVAILABLE', { message: cannotVerify, cause: error })
    }
  }

  return {
    /**
     * The session of the request's cookie, its user verified. Fails: 401 without one, and for one that has ended; 503
     * while it cannot be verified. A background request (`x-console-background: 1`) does not prolong it.
     */
    async of(request: Request): Promise<Session> {
      const secret = secretIn(request.headers)
      if (secret === null) throw loggedOut()
      const session = await verified(await liveRow(idOf(secret)))
      const at = now()
      if (request.headers.get('x-console-background') === '1' || !isUseNews(session.row, at)) return session
      await store.commit((tx) => touchSession(tx).execute({ id: session.row.id, usedAt: at }))
      return { ...session, row: { ...session.row, usedAt: at } }
    },
    /** Refreshes a session's tokens now, because its user has changed. */
    async renew({ row }: Session): Promise<Session> {
      const next = await renew(row)
      const token = await tokenOf(next)
      if (!token) throw loggedOut()
      return toSession(next, token)
    },
    /** Whether a session is still live, without prolonging it. True also while the identity manager is unreachable. */
    async goesOn(id: string): Promise<boolean> {
      try {
        await verified(await liveRow(id))
        return true
      } catch (error) {
        return !(error instanceof AppError) || error.status !== 401
      }
    },
  }
}

const cannotVerify = 'The session cannot be verified right now; repeat the request in a moment'
