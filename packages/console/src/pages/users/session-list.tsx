import { reread } from '../../api/query'
import { dataOf, identity } from '../../api/services'
import { sessionStore, useSession } from '../../api/session'
import { Act } from '../../ui/act'
import { DialogButton } from '../../ui/dialog-button'
import { Empty, Loaded } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Ago, Time } from '../../ui/time'
import { programOf } from './program-of'
import { type UserSession, useSessions } from './users-query'

/** A user's sessions, each with a button to end it. */
export function SessionList({ userId }: { userId: string }) {
  const sessions = useSessions(userId)
  return (
    <Loaded of={sessions}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty icon="key" title="No open session" />
        ) : (
          <ul class="rows sessions">
            {rows.map((row) => (
              <SessionRow key={row.id} row={row} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function SessionRow({ row }: { row: UserSession }) {
  const { sessionId } = useSession()
  return (
    <li class="ends">
      <div>
        <strong title={row.userAgent ?? undefined}>{programOf(row.userAgent)}</strong>{' '}
        {row.id === sessionId ? <Badge tone="good">This one</Badge> : null}
        <p class="hint">
          {row.address ?? 'Unknown address'}, since <Time at={row.createdAt} isWhole />,{' '}
          <Ago what="last renewed" at={row.lastUsedAt} />
        </p>
      </div>
      <DialogButton
        isSmall
        aria-label={`End the session in ${programOf(row.userAgent)}`}
        dialog={(close) => <EndSession session={row} onClose={close} />}
      >
        End
      </DialogButton>
    </li>
  )
}

function EndSession({ session, onClose }: { session: UserSession; onClose(): void }) {
  const isThis = useSession().sessionId === session.id
  return (
    <Act
      title="End this session?"
      confirm="End session"
      look="danger"
      act={() => dataOf(identity.DELETE('/users/sessions/{id}', { params: { path: { id: session.id } } }))}
      done="The session has ended"
      onDone={() => {
        if (isThis) sessionStore.set({ is: 'none' })
        else reread(['sessions'])
      }}
      onClose={onClose}
    >
      <p>
        {programOf(session.userAgent)} at {session.address ?? 'an unknown address'}.{' '}
        {isThis ? 'It is this one: you will have to log in again.' : 'It is refused within five seconds.'}
      </p>
    </Act>
  )
}
