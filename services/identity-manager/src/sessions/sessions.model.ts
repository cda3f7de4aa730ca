import { revocationChanges } from '@bursar/contracts/identity-manager'
import { about, nullable, t, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryUuid } from '@bursar/http'

const Session = t.Object(
  {
    id: about('The id of the session: the `sid` of its access tokens', uuid()),
    userId: about('The id of its user', uuid()),
    createdAt: about('When its user logged in', timestamp()),
    lastUsedAt: about('When it last got an access token', timestamp()),
    expiresAt: about('When it ends, however much it is used', timestamp()),
    address: about('The address that the login came from; null where it is not known', nullable(t.String())),
    userAgent: about('The program that the login came from, as it says itself', nullable(t.String())),
  },
  { title: 'Session' },
)
export const Sessions = t.Object({ data: t.Array(Session) }, { title: 'Sessions' })

/** GET /users/sessions: the caller's own unless told otherwise. */
export const SessionsQuery = t.Object({
  userId: t.Optional({ ...queryUuid(), description: 'Whose sessions; the caller’s own unless given' }),
})
export const BySessionId = t.Object({ id: about('The id of the session', uuid()) })

/** A page of revocations, as the gateway sees them. */
export const RevocationChanges = revocationChanges.answer
/** The last version that is known. */
export const After = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })
