import { Deleted, deleted, idempotent, internalRoutes, page, pageOf, response } from '@bursar/http'
import type { IdentityManagerDeps } from '../deps'
import { type ListedUsers, listUsers } from '../users/list-users'
import { getUser, toKnownUser, toUser } from '../users/users'
import { ById, InternalUsersQuery, Invitation, KnownUser, User, UserChanges } from '../users/users.model'
import { changeUser, deleteUser } from './change-user'
import { inviteUser } from './invite-user'

/** Called by other services only (contracts/identity-manager.ts). */
export function internalUserRoutes(deps: IdentityManagerDeps) {
  const { store, identity, now } = deps
  const once = idempotent(deps)
  return internalRoutes(identity, '/internal/users')
    .get(
      '/',
      async ({ query: { participantId = null, custodianId = null, ...asked } }) => {
        const of = participantId !== null ? 'participant' : custodianId !== null ? 'custodian' : 'all'
        const listed: ListedUsers = { of, owner: { participantId, custodianId } }
        const [rows, total] = await listUsers(store.read, listed, asked)
        return page(rows.map(toUser), asked, total)
      },
      { query: InternalUsersQuery, response: { 200: response(pageOf(User)) } },
    )
    .get('/:id', async ({ params }) => toUser(await getUser(store.read, params.id)), {
      params: ById,
      response: { 200: response(User) },
    })
    .get('/:id/known', async ({ params }) => toKnownUser(await getUser(store.read, params.id)), {
      params: ById,
      response: { 200: response(KnownUser) },
    })
    .post(
      '/',
      ({ request, set, body: { roleIds: ids, roleNames: names, ...user } }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) =>
            reply(tx, 201, toUser(await inviteUser(tx, deps, { ...user, roles: { ids, names } }, now()))),
          ),
        ),
      { body: Invitation, response: { 201: response(User) } },
    )
    .put(
      '/:id',
      async ({ params, body }) => toUser(await store.commit((tx) => changeUser(tx, deps, params.id, body, now()))),
      { params: ById, body: UserChanges, response: { 200: response(User) } },
    )
    .delete(
      '/:id',
      async ({ params }) => {
        await store.commit((tx) => deleteUser(tx, params.id, now()))
        return deleted('User deleted')
      },
      { params: ById, response: { 200: response(Deleted) } },
    )
}
