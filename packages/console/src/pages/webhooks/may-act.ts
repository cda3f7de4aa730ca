import { can, useSession } from '../../api/session'

/** Whether this user may replay and change endpoints: staff that operates, and a participant's own administrators. */
export function useMayAct(): boolean {
  const session = useSession()
  return can(session, 'operate') || session.user.roles.includes('participant-admin')
}
