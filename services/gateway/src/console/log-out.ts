import type { Arrival } from '../console-sessions/arrivals'
import { deleteSessionsOf } from '../console-sessions/console-sessions'
import { endSession } from '../console-sessions/end-session'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { askIdentity } from './ask-identity'
import { noteSessionAct } from './note-session-act'

interface Leaving {
  request: Request
  arrival: Arrival
  session: Session
}

/** Ends the session, and its streams. */
export async function logOutHere(deps: GatewayDeps, { arrival, session }: Leaving): Promise<void> {
  await endSession(deps.sessionDeps, session.row)
  await deps.consoleStreams.endThoseOfEnded()
  await noteSessionAct(deps, 'log out', session, arrival)
}

/** Ends all sessions of the user, on all devices. Fails as the identity manager does; then none has ended. */
export async function logOutEverywhere(deps: GatewayDeps, { request, arrival, session }: Leaving): Promise<void> {
  const { subject } = session.caller
  const path = `/users/${subject}/sessions`
  await askIdentity(deps, { request, arrival, session, method: 'DELETE', path })
  await deps.store.commit((tx) => deleteSessionsOf(tx, subject))
  await deps.consoleStreams.endThoseOfEnded()
}
