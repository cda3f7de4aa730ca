import { ChangesQuery, Deleted, deleted, internalRoutes, needsSecret, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { ownOrManagedUser, requireUser, scopeOf } from '../users/scope'
import { revocationRecords, toRevocation } from './revocations'
import { dayMs, endSession, findSession, isLive, openSessions, toSession } from './sessions'
import { BySessionId, RevocationChanges, Sessions, SessionsQuery } from './sessions.model'

/** Not in the specification: the sessions of a user. */
export function sessionRoutes({ store, identity, now, config }: IdentityManagerDeps) {
  return new Elysia({ prefix: '/users/sessions', tags: ['Sessions'] })
    .get(
      '/',
      async ({ request, query }) => {
        const scope = await scopeOf(identity, request)
        const userId = query.userId ?? (await requireUser(identity, request)).subject
        const { id } = await ownOrManagedUser(store.read, scope, userId)
        const open = await openSessions(store.read, id)
        return { data: open.filter((row) => isLive(row, config.sessionDays * dayMs, now())).map(toSession) }
      },
      {
        query: SessionsQuery,
        response: { 200: response(Sessions) },
        detail: operation('listSessions', 'List the sessions of a user, oldest first', {
          ...needsSecret,
          description: 'The caller’s own, or those of a user that it manages.',
          401: 'The request has no user',
          404: 'There is no such user for the caller',
        }),
      },
    )
    .delete(
      '/:id',
      async ({ request, params }) => {
        const scope = await scopeOf(identity, request)
        await store.commit(async (tx) => {
          const session = await findSession(tx, params.id)
          if (!session || session.endedAt) throw fail('NOT_FOUND', { message: 'Session not found' })
          await ownOrManagedUser(tx, scope, session.userId)
          await endSession(tx, session, 'revoked', now())
        })
        return deleted('Session ended')
      },
      {
        params: BySessionId,
        response: { 200: response(Deleted) },
        detail: operation('endSession', 'End a session', {
          description: 'Its access tokens are refused within five seconds.',
        }),
      },
    )
}

/** For the gateway (contracts/identity-manager.ts). */
export const internalRevocationRoutes = ({ store, identity }: Pick<IdentityManagerDeps, 'store' | 'identity'>) =>
  internalRoutes(identity, '/internal/revocations').get(
    '/changes',
    ({ query }) => revocationRecords.pageAfter(store, query.after, toRevocation),
    { query: ChangesQuery, response: { 200: response(RevocationChanges) } },
  )
