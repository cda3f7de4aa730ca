import { t } from '@bursar/contracts/schema'
import { deleteSessionsOf } from '../console-sessions/console-sessions'
import type { GatewayDeps } from '../deps'
import { type Asking, askFor, askIdentity } from './ask-identity'
import { type Begun, logIn } from './log-in'
import { refuseWrong } from './second-factor'

const Token = t.Object({ changePasswordToken: t.String() })

/**
 * Sets a new password. All sessions of the user end, at the identity manager too; a new one begins, or none when its
 * limit of log-ins is reached (null). Fails as the identity manager does, with 400 for a wrong current password.
 */
export async function changePassword(
  deps: GatewayDeps,
  { request, session }: Asking,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<Begun | null> {
  const tokenPath = '/users/change-password-token'
  const { changePasswordToken } = await askFor(deps, { request, session, path: tokenPath }, Token)
  const path = `/auth/change-password/${encodeURIComponent(changePasswordToken)}`
  const body = { password: newPassword, currentPassword }
  await askIdentity(deps, { request, session, path, body }).catch(
    refuseWrong('currentPassword', 'The current password is wrong'),
  )
  await deps.store.commit((tx) => deleteSessionsOf(tx).execute({ userId: session.caller.subject }))
  const { email } = session.row.user
  const begun = await logIn(deps, request, { email, password: newPassword }).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'A password was changed, but no session could begin with it')
    return null
  })
  // A code would be required: the user logs in again.
  return begun && 'session' in begun ? begun : null
}
