import { and, eq, getTableColumns, isNotNull, isNull, param, prepared } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { isOffboarded } from '../institutions/institutions'
import { participants, pfis } from '../institutions/institutions.table'
import { users } from '../users/users.table'
import { endSession, type SessionRow } from './sessions'
import { sessions } from './sessions.table'

/** Sessions that one commit ends: few, so that other commits never wait long. */
const chunk = 100

/** Ends the sessions of users whose institution has ended. */
export async function endSessionsOfEnded({ store, now }: Pick<IdentityManagerDeps, 'store' | 'now'>): Promise<void> {
  for (const find of [sessionsOfOffboarded, sessionsOfDeleted]) {
    for (;;) {
      const found: SessionRow[] = await find(store.read).execute({ chunk })
      if (found.length === 0) break
      await store.commit(async (tx) => {
        for (const session of found) await endSession(tx, session, 'institution ended', now())
      })
    }
  }
}

const ofUser = eq(sessions.userId, users.id)
const sessionsOfOffboarded = prepared((db) =>
  db
    .select(getTableColumns(sessions))
    .from(pfis)
    .innerJoin(users, eq(users.participantId, pfis.id))
    .innerJoin(sessions, ofUser)
    .where(and(isOffboarded, isNull(sessions.endedAt)))
    .limit(param('chunk')),
)
const sessionsOfDeleted = prepared((db) =>
  db
    .select(getTableColumns(sessions))
    .from(participants)
    .innerJoin(users, eq(users.participantId, participants.id))
    .innerJoin(sessions, ofUser)
    .where(and(isNotNull(participants.deletedAt), isNull(sessions.endedAt)))
    .limit(param('chunk')),
)
