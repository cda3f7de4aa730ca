import { MfaRequired, Tokens } from '@bursar/contracts/identity-manager'
import { Value } from '@sinclair/typebox/value'
import { arrivalOf } from '../console-sessions/arrivals'
import { beginSession } from '../console-sessions/begin-session'
import { findSession, isLive } from '../console-sessions/console-sessions'
import { deviceIn, idOf, secretIn } from '../console-sessions/cookie'
import { endSession } from '../console-sessions/end-session'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { type Answer, askIdentity } from './ask-identity'
import type { Proof } from './second-factor'
import { recordLogOut, sessionAct } from './session-acts'

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
 * TLS.
 */
export async function logIn(
  deps: GatewayDeps,
  request: Request,
  body: { email: string; password: string },
): Promise<Begun | Challenged> {
  requireTls(deps, request)
  const asked = { ...body, deviceToken: deviceIn(request.headers) }
  const answer = await askIdentity(deps, { request, path: '/auth/login', body: asked })
  if (Value.Check(MfaRequired, answer.body)) return answer.body.data
  return await begin(deps, { request, answer, by: 'password', provenAt: null })
}

/** The same, by the required second factor. */
export async function logInByProof(
  deps: GatewayDeps,
  request: Request,
  body: { challenge: string } & Proof,
): Promise<Begun> {
  requireTls(deps, request)
  const answer = await askIdentity(deps, { request, path: '/auth/mfa', body })
  return await begin(deps, { request, answer, by: body.passkey ? 'passkey' : 'code', provenAt: deps.now() })
}

/** Fails (403) without TLS: the browser would not store the cookie. */
export function requireTls(deps: GatewayDeps, request: Request): void {
  if (!arrivalOf(deps, request).isSecure) throw fail('FORBIDDEN', { message: needsTls })
}

const needsTls =
  'The console is served over https, or to this machine itself: TRUSTED_PROXIES names the proxies whose X-Forwarded-Proto counts'

interface Beginning {
  request: Request
  answer: Answer
  /** The last factor. */
  by: 'password' | 'code' | 'passkey' | 'provider'
  /** When a second factor was verified; null for none. */
  provenAt: Date | null
}

/** Begins the session of an authenticated user, replacing its browser's earlier one. */
export async function begin(deps: GatewayDeps, { request, answer, by, provenAt }: Beginning): Promise<Begun> {
  if (!Value.Check(Tokens, answer.body)) throw fail('UPSTREAM_ERROR')
  const begun = await beginSession(deps, answer.body, { provenAt })
  const act = sessionAct(deps, request, 'POST', begun.session, { by })
  await deps.audit.note(act, { status: 200 }).catch(async (error: unknown) => {
    // The session is ended again, because nobody gets its cookie.
    await endSession(deps, begun.session.row).catch(() => {})
    throw error
  })
  await endBefore(deps, request)
  return { ...begun, deviceToken: answer.headers.get('x-device-token') }
}

/** A live session ends as by a log-out, recorded in the audit trail. */
async function endBefore(deps: GatewayDeps, request: Request): Promise<void> {
  const { store, now, revocations } = deps
  const secret = secretIn(request.headers)
  const row = secret === null ? undefined : await findSession(store.read, idOf(secret))
  if (!row) return
  const end = () => endSession(deps, row)
  if (!isLive(row, now()) || revocations.has(row.sessionId)) return await end()
  const session = { caller: { subject: row.userId, roles: row.user.roles }, sessionId: row.sessionId }
  await recordLogOut(deps, request, session, end, { by: 'log in' })
}
