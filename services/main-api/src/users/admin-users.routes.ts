import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { keyForPeer } from '../peers'
import { createUser, pageOfUsers, removeUser, updateUser } from './users'
import { ByUserId, mailFailures, NewUser, User, UserChanges, UserPage, UserQuery, userFailures } from './users.model'

/**
 * Spec 3, Main API: administration. The identity manager stores the users (decisions, Admin users and identity users).
 */
export function adminUserRoutes(deps: MainApiDeps) {
  const { store, client, identity } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/admin/users', tags: ['Users and roles'] })
    .get('/', ({ query }) => pageOfUsers(client, query, {}), {
      query: UserQuery,
      response: { 200: response(UserPage) },
      detail: operation('listAdminUsers', 'List all users, oldest first', userFailures),
    })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const user = await createUser(client, body, {}, await keyForPeer(identity, request))
          return await store.commit((tx) => reply(tx, 201, user))
        }),
      {
        body: NewUser,
        response: { 201: response(User) },
        detail: operation('createAdminUser', 'Invite an administrative user', {
          description: 'The user gets a mail with a link to set a password; until then it is INVITED.',
          ...userFailures,
          400: 'A field is not valid, or a role does not exist or is not one for administrative users',
          409: 'The address is taken, or a request with this Idempotency-Key is under way',
          ...mailFailures,
        }),
      },
    )
    .put('/:userId', ({ params, body }) => updateUser(client, params.userId, body, {}), {
      params: ByUserId,
      body: UserChanges,
      response: { 200: response(User) },
      detail: operation('changeAdminUser', 'Change the given fields of a user', {
        ...userFailures,
        400: 'A field is not valid, or a role does not exist or is not one for this user',
        409: 'The address is taken, or it is the last administrator',
        ...mailFailures,
      }),
    })
    .delete(
      '/:userId',
      async ({ params }) => {
        await removeUser(client, params.userId, {})
        return deleted('User deleted successfully')
      },
      {
        params: ByUserId,
        response: { 200: response(Deleted) },
        detail: operation('deleteAdminUser', 'Delete a user and end its sessions', {
          ...userFailures,
          409: 'It is the last administrator',
        }),
      },
    )
}
