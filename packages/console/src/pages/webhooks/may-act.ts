import { can, useSession } from '../../api/session'

/** Whether this user may change endpoints: operators, and an institution's administrators. */
export function useMayChange(): boolean {
  const session = useSession()
  return can(session, 'operate') || session.user.roles.includes('participant-admin')
}

/** Whether this user may test endpoints and send deliveries again: operators, and an institution's people. */
export function useMaySend(): boolean {
  const session = useSession()
  return can(session, 'operate') || session.user.participantId !== null
}
