import { type Caller, currentRequestId } from '@bursar/http'
import type { Act } from '../audit-trail/act'
import { arrivalOf } from '../console-sessions/arrivals'
import type { GatewayDeps } from '../deps'

/** A session in the audit trail, with its user. */
interface ActSession {
  readonly caller: Pick<Caller, 'subject' | 'roles'>
  readonly sessionId: string
}

/** That a session began (POST) or ended (DELETE), for the audit trail. */
export const sessionAct = (
  deps: Pick<GatewayDeps, 'arrivals'>,
  request: Request,
  method: 'POST' | 'DELETE',
  { caller: { subject: id, roles }, sessionId: session }: ActSession,
  how: { by?: string } = {},
): Act => ({
  actor: { door: 'console', id, roles, session, address: arrivalOf(deps, request).address },
  service: 'gateway',
  action: `${method} /console/api/session`,
  object: session,
  requestId: currentRequestId() ?? '',
  request: how,
})

/**
 * Ends a session, after recording that in the audit trail: a crash in between leaves a row without an answer. Fails
 * (503), and ends nothing, if it cannot be recorded.
 */
export const recordLogOut = (
  deps: Pick<GatewayDeps, 'audit' | 'arrivals'>,
  request: Request,
  session: ActSession,
  end: () => Promise<void>,
  how?: { by: string },
): Promise<void> =>
  deps.audit.record(sessionAct(deps, request, 'DELETE', session, how), undefined, end, async () => ({ status: 200 }))
