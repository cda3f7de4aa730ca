import { can, useSession } from '../../api/session'

/** Whether this user may replay deliveries and change endpoints: operators, and a participant's administrators. */
export function useMayAct(): boolean {
  const session = useSession()
  return can(session, 'operate') || session.user.roles.includes('participant-admin')
}
