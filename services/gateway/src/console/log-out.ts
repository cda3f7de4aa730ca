import { deleteSessionsOf } from '../console-sessions/console-sessions'
import { endSession } from '../console-sessions/end-session'
import type { GatewayDeps } from '../deps'
import { type Asking, askIdentity } from './ask-identity'
import { recordLogOut } from './session-acts'

/** Ends the session, and its streams. Fails with 503, and ends nothing, when it cannot be recorded in the audit trail. */
export async function logOutHere(deps: GatewayDeps, { request, session }: Asking): Promise<void> {
  await recordLogOut(deps, request, session, () => endSession(deps, session.row))
  await deps.consoleStreams.endThoseOfEnded()
}

/** Ends all sessions of the user, on all devices. Fails as the identity manager does; then none has ended. */
export async function logOutEverywhere(deps: GatewayDeps, { request, session }: Asking): Promise<void> {
  const { subject } = session.caller
  const path = `/users/${subject}/sessions`
  await askIdentity(deps, { request, session, method: 'DELETE', path })
  await deps.store.commit((tx) => deleteSessionsOf(tx).execute({ userId: subject }))
  await deps.consoleStreams.endThoseOfEnded()
}
