import { type Caller, currentRequestId } from '@bursar/http'
import type { Act } from '../audit-trail/act'
import type { Arrival } from '../console-sessions/arrivals'
import type { GatewayDeps } from '../deps'

/** A session in the audit trail, with its user. */
interface ActSession {
  readonly caller: Pick<Caller, 'subject' | 'roles'>
  readonly sessionId: string
}

type How = { by?: string }

/** Records in the audit trail that a session began. */
export const noteLogIn = (
  { audit }: Pick<GatewayDeps, 'audit'>,
  session: ActSession,
  arrival: Arrival,
  how: How,
): Promise<void> => audit.note(actOf('POST', session, arrival, how), { status: 200 })

/**
 * Ends a session, after recording that in the audit trail: a crash in between leaves a row without an answer. Fails
 * (503), and ends nothing, if it cannot be recorded.
 */
export const recordLogOut = (
  { audit }: Pick<GatewayDeps, 'audit'>,
  { session, arrival, how = {} }: { session: ActSession; arrival: Arrival; how?: How },
  end: () => Promise<void>,
): Promise<void> => audit.record(actOf('DELETE', session, arrival, how), undefined, end, async () => ({ status: 200 }))

const actOf = (
  method: 'POST' | 'DELETE',
  { caller, sessionId }: ActSession,
  { address }: Arrival,
  request: How,
): Act => ({
  actor: { door: 'console', id: caller.subject, roles: caller.roles, session: sessionId, address },
  service: 'gateway',
  action: `${method} /console/api/session`,
  object: sessionId,
  requestId: currentRequestId() ?? '',
  request,
})
