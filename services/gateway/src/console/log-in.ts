import { MfaRequired, Tokens } from '@bursar/contracts/identity-manager'
import { Value } from '@sinclair/typebox/value'
import type { Arrival } from '../console-sessions/arrivals'
import { beginSession } from '../console-sessions/begin-session'
import { findSession, isLive } from '../console-sessions/console-sessions'
import { deviceIn, idOf, secretIn } from '../console-sessions/cookie'
import { endSession } from '../console-sessions/end-session'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { answerOfIdentity } from './ask-identity'
import { noteLogIn, recordLogOut } from './note-session-act'
import type { Proof } from './second-factor'

/** A new session, and the secret for its browser. */
export interface Begun {
  session: Session
  secret: string
  /** Identifies its browser at later log-ins; null if none was issued. */
  deviceToken: string | null
}

/** The password was right; the second factor is required. */
export type Challenged = MfaRequired['data']

/**
 * Logs a user in: its browser's earlier session ends. Fails as the identity manager does, and (403) without
 * TLS: the browser would not store the cookie.
 */
export async function logIn(
  deps: GatewayDeps,
  request: Request,
  arrival: Arrival,
  body: { email: string; password: string },
): Promise<Begun | Challenged> {
  if (!arrival.isSecure) throw fail('FORBIDDEN', { message: needsTls })
  const asked = { ...body, deviceToken: deviceIn(request.headers) }
  const answer = await answerOfIdentity(deps, { request, arrival, path: '/auth/login', body: asked })
  if (Value.Check(MfaRequired, answer.body)) return answer.body.data
  return await begin(deps, { request, arrival, answer, by: 'password', provenAt: null })
}

/** The same, by the required second factor. */
export async function logInByProof(
  deps: GatewayDeps,
  request: Request,
  arrival: Arrival,
  body: { challenge: string } & Proof,
): Promise<Begun> {
  if (!arrival.isSecure) throw fail('FORBIDDEN', { message: needsTls })
  const answer = await answerOfIdentity(deps, { request, arrival, path: '/auth/mfa', body })
  const provenAt = new Date(deps.sessionDeps.now())
  return await begin(deps, { request, arrival, answer, by: body.passkey ? 'passkey' : 'code', provenAt })
}

interface Beginning {
  request: Request
  arrival: Arrival
  answer: { body: unknown; headers: Headers }
  /** The last factor. */
  by: 'password' | 'code' | 'passkey' | 'provider'
  /** When a second factor was verified; null for none. */
  provenAt: Date | null
}

/** Begins the session of an authenticated user, replacing its browser's earlier one. */
export async function begin(deps: GatewayDeps, { request, arrival, answer, by, provenAt }: Beginning): Promise<Begun> {
  if (!Value.Check(Tokens, answer.body)) throw fail('UPSTREAM_ERROR')
  const begun = await beginSession(deps.sessionDeps, answer.body, { provenAt })
  await noteLogIn(deps, begun.session, arrival, { by }).catch(async (error: unknown) => {
    // The session is ended again, because nobody gets its cookie.
    await endSession(deps.sessionDeps, begun.session.row).catch(() => {})
    throw error
  })
  await endBefore(deps, request, arrival)
  return { ...begun, deviceToken: answer.headers.get('x-device-token') }
}

export const needsTls =
  'The console is served over https, or to this machine itself: TRUSTED_PROXIES names the proxies whose X-Forwarded-Proto counts'

/** A live session ends as by a log-out, recorded in the audit trail. */
async function endBefore(deps: GatewayDeps, { headers }: Request, arrival: Arrival): Promise<void> {
  const { store, sessionDeps, revocations } = deps
  const secret = secretIn(headers)
  const row = secret === null ? undefined : await findSession(store.read, idOf(secret))
  if (!row) return
  const end = () => endSession(sessionDeps, row)
  if (!isLive(row, new Date(sessionDeps.now())) || revocations.has(row.sessionId)) return await end()
  const session = { caller: { subject: row.userId, roles: row.user.roles }, sessionId: row.sessionId }
  await recordLogOut(deps, { session, arrival, how: { by: 'log in' } }, end)
}
