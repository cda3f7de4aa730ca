import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { endSessionsOf } from '../sessions/sessions'
import { managedUser, ownOrManagedUser, scopeOf } from '../users/scope'
import { toKnownUser } from '../users/users'
import { ByUserId, KnownUser } from '../users/users.model'
import { resetUser } from './reset-user'

/** Not in the specification: measures for a stolen password or device. */
export function userActRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/users/:userId' })
    .delete(
      '/sessions',
      async ({ request, params }) => {
        const scope = await scopeOf(identity, request)
        await store.commit(async (tx) => {
          const { id } = await ownOrManagedUser(tx, scope, params.userId)
          await endSessionsOf(tx, id, 'revoked', now())
        })
        return deleted('Sessions ended')
      },
      {
        params: ByUserId,
        response: { 200: response(Deleted) },
        detail: operation('endSessionsOfUser', 'End all sessions of a user', {
          tags: ['Sessions'],
          description:
            'The caller’s own, or those of a user that it manages. Their access tokens are refused within five seconds.',
          404: 'There is no such user for the caller',
        }),
      },
    )
    .post(
      '/password-reset',
      ({ request, set, params }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          return await store.commit(async (tx) => {
            const { id } = await managedUser(tx, scope, params.userId)
            return await reply(tx, 200, toKnownUser(await resetUser(tx, deps, id, now())))
          })
        }),
      {
        params: ByUserId,
        response: { 200: response(KnownUser) },
        detail: operation('resetPasswordOfUser', 'Make a user choose a new password', {
          tags: ['Users'],
          description:
            'Mails it a link that is valid for ten minutes, and ends its sessions; the console asks it for a new password. An invited user gets its invitation again.',
          404: 'There is no such user for the caller',
          409: 'The user is disabled',
          429: 'Its address has got five such mails within five minutes',
        }),
      },
    )
}
