import { t } from '@bursar/contracts/schema'
import { AppError } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import type { Arrival } from '../console-sessions/arrivals'
import { deleteSessionsOf } from '../console-sessions/console-sessions'
import type { Session } from '../console-sessions/session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { askIdentity } from './ask-identity'
import { type Begun, logIn } from './log-in'

const Token = t.Object({ changePasswordToken: t.String() })

interface Asking {
  request: Request
  arrival: Arrival
  session: Session
}

/**
 * Sets a new password. All sessions of the user end, at the identity manager too; a new one begins, or none when its
 * limit of log-ins is reached (null). Fails as the identity manager does, with 400 for a wrong current password.
 */
export async function changePassword(
  deps: GatewayDeps,
  { request, arrival, session }: Asking,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<Begun | null> {
  const token = await askIdentity(deps, { request, arrival, session, path: '/users/change-password-token' })
  if (!Value.Check(Token, token)) throw fail('UPSTREAM_ERROR')
  const path = `/auth/change-password/${encodeURIComponent(token.changePasswordToken)}`
  const body = { password: newPassword, currentPassword }
  await askIdentity(deps, { request, arrival, session, path, body }).catch(refuseWrong)
  await deps.store.commit((tx) => deleteSessionsOf(tx, session.caller.subject))
  const { email } = session.row.user
  const begun = await logIn(deps, request, arrival, { email, password: newPassword }).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'A password was changed, but no session could begin with it')
    return null
  })
  // A code would be required: the user logs in again.
  return begun && 'session' in begun ? begun : null
}

/** A 401 would mean that the session has ended. */
function refuseWrong(error: unknown): never {
  if (!(error instanceof AppError) || error.status !== 401) throw error
  const message = 'The current password is wrong'
  throw fail('INVALID_REQUEST', { message, fields: [{ field: 'currentPassword', message }] })
}
