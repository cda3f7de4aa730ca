import { listRoles, Role } from '@bursar/contracts/identity-manager'
import { t } from '@bursar/contracts/schema'
import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { ById } from '../participants/participants.model'
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

/** Not in the specification: the users of a participant, for itself and for administrators. */
export const participantUserRoutes = ({ client }: MainApiDeps) =>
  new Elysia({ prefix: '/participants', tags: ['Users and roles'] }).get(
    '/:id/users',
    ({ params, query }) => pageOfUsers(client, query, { participantId: params.id }),
    {
      params: ById,
      query: UserQuery,
      response: { 200: response(UserPage) },
      detail: operation('listUsersOfParticipant', 'List the users of a participant, oldest first', userFailures),
    },
  )

const Roles = t.Object({ data: t.Array(Role) }, { title: 'Roles' })

/** Spec 3, Main API: administration. The identity manager defines the roles (decisions, Admin role). */
export const roleRoutes = ({ client }: MainApiDeps) =>
  new Elysia({ prefix: '/admin/roles', tags: ['Users and roles'] }).get(
    '/',
    async () => ({ data: await client.call(listRoles) }),
    {
      response: { 200: response(Roles) },
      detail: operation('listAdminRoles', 'List all roles', userFailures),
    },
  )
