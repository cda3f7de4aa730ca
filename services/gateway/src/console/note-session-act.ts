import { currentRequestId } from '@bursar/http'
import type { Arrival } from '../console-sessions/arrivals'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'

/** Records in the audit trail that a session began or ended. */
export const noteSessionAct = (
  { audit }: Pick<GatewayDeps, 'audit'>,
  act: 'log in' | 'log out',
  { caller, sessionId }: Session,
  { address }: Arrival,
  request: { by?: string } = {},
): Promise<void> =>
  audit.note(
    {
      actor: { door: 'console', id: caller.subject, roles: caller.roles, session: sessionId, address },
      service: 'gateway',
      action: act === 'log in' ? 'POST /console/api/session' : 'DELETE /console/api/session',
      object: sessionId,
      requestId: currentRequestId() ?? '',
      request,
    },
    { status: 200 },
  )
