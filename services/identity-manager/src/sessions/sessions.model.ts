import { revocationChanges } from '@bursar/contracts/identity-manager'
import { about, nullable, t, timestamp, uuid } from '@bursar/contracts/schema'
import { queryUuid } from '@bursar/http'

const Session = t.Object(
  {
    id: about('The id of the session: the `sid` of its access tokens', uuid()),
    userId: about('The id of its user', uuid()),
    createdAt: about('When its user logged in', timestamp()),
    lastUsedAt: about('When it last got an access token', timestamp()),
    expiresAt: about('When it ends at the latest', timestamp()),
    address: about('The address of the login; null if unknown', nullable(t.String())),
    userAgent: about('The User-Agent of the login', nullable(t.String())),
  },
  { title: 'Session' },
)
export const Sessions = t.Object({ data: t.Array(Session) }, { title: 'Sessions' })

/** GET /users/sessions: the caller's own by default. */
export const SessionsQuery = t.Object({
  userId: t.Optional({ ...queryUuid(), description: 'The user; the caller by default' }),
})
export const BySessionId = t.Object({ id: about('The id of the session', uuid()) })

/** A page of revocations, for the gateway. */
export const RevocationChanges = revocationChanges.answer
