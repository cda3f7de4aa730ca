import { Deleted, deleted, idempotent, operation, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { listUsers } from '../users/list-users'
import { grantedRoles, managedUser, ownerOf, ownOrManagedUser, requireManaged, scopeOf } from '../users/scope'
import { toKnownUser, toUser } from '../users/users'
import { ByUserId, KnownUser, NewUser, User, UsersQuery, UserUpdate } from '../users/users.model'
import { changeUser, deleteUser } from './change-user'
import { inviteUser } from './invite-user'

const taken = 'A user has this address'
const mailed = 'The address has got five such mails within five minutes'
const inviteErrors = {
  404: 'The participant or custodian bank is not the caller’s own',
  409: `${taken}, or a request with this Idempotency-Key is under way`,
  429: mailed,
}

/** Spec 3, Endpoints, Identity manager: the users that the caller may see. */
export function userRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/users', tags: ['Users'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const owner = ownerOf(scope, body)
          const roles = { ids: grantedRoles(scope, owner, body.roleId) }
          return await store.commit(async (tx) =>
            reply(tx, 201, toUser(await inviteUser(tx, deps, { ...body, ...owner, roles }, now()))),
          )
        }),
      {
        body: NewUser,
        response: { 201: response(User) },
        detail: operation('inviteUser', 'Invite a user by mail', {
          description:
            'The user belongs to the caller’s participant or custodian bank. The mail has a token that sets the first password.',
          ...inviteErrors,
        }),
      },
    )
    .get(
      '/',
      async ({ request, query }) => {
        const [rows, total] = await listUsers(store.read, await scopeOf(identity, request), query)
        return page(rows.map(toKnownUser), query, total)
      },
      {
        query: UsersQuery,
        response: { 200: response(pageOf(KnownUser)) },
        detail: operation('listUsers', 'List the users, oldest first', {
          description: 'Those of the caller’s participant or custodian bank; all users for administrators.',
        }),
      },
    )
    .put(
      '/:userId',
      async ({ request, params, body: { roleId, ...changes } }) => {
        const scope = await scopeOf(identity, request)
        const row = await store.commit(async (tx) => {
          const user = await ownOrManagedUser(tx, scope, params.userId)
          requireManaged(scope, user, { ...changes, roleId })
          const roleIds = roleId === undefined ? undefined : grantedRoles(scope, user, roleId)
          return await changeUser(tx, deps, user.id, { ...changes, roleIds }, now())
        })
        return toUser(row)
      },
      {
        params: ByUserId,
        body: UserUpdate,
        response: { 200: response(User) },
        detail: operation('changeUser', 'Change a user', {
          description:
            'A new role or status ends its sessions. Admins may change their owner’s users, others only their own name.',
          409: `${taken}, or it is the last administrator`,
          429: mailed,
        }),
      },
    )
    .delete(
      '/:userId',
      async ({ request, params }) => {
        const scope = await scopeOf(identity, request)
        await store.commit(async (tx) => {
          const user = await managedUser(tx, scope, params.userId)
          await deleteUser(tx, user.id, now())
        })
        return deleted('User deleted')
      },
      {
        params: ByUserId,
        response: { 200: response(Deleted) },
        detail: operation('deleteUser', 'Delete a user', {
          description: 'Ends its sessions. Its address can be used again.',
          409: 'It is the last administrator',
        }),
      },
    )
}
