import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { keyForPeer } from '../peers'
import { createUser, pageOfUsers, readUser, removeUser, updateUser } from '../users/users'
import {
  ByCustodianUserId,
  mailFailures,
  NewCustodianUser,
  User,
  UserChanges,
  UserPage,
  UserQuery,
  userFailures,
} from '../users/users.model'
import { callingCustodian, forCustodian } from './caller-custodian'

const failures = { ...userFailures, ...forCustodian, 503: userFailures[503] }
const failuresOfOne = { ...failures, 404: 'The caller has no custodian bank, or the bank has no such user' }

/** Spec 3, Main API: custodian module. The users of the caller's custodian bank; another's is not found. */
export function custodianUserRoutes(deps: MainApiDeps) {
  const { store, client, identity } = deps
  const once = idempotent(deps)
  const scopeOf = async (request: Request) => ({ custodianId: (await callingCustodian(deps, request)).id })
  return new Elysia({ prefix: '/custodian-bank/users', tags: ['Custodian bank'] })
    .get('/', async ({ request, query }) => pageOfUsers(client, query, await scopeOf(request)), {
      query: UserQuery,
      response: { 200: response(UserPage) },
      detail: operation('listCustodianUsers', 'List the users of the custodian bank, oldest first', failures),
    })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(request)
          const user = await createUser(client, body, scope, await keyForPeer(identity, request))
          return await store.commit((tx) => reply(tx, 201, user))
        }),
      {
        body: NewCustodianUser,
        response: { 201: response(User) },
        detail: operation('createCustodianUser', 'Invite a user of the custodian bank', {
          ...failures,
          400: 'A field is not valid, or a role does not exist or is not one of custodian banks',
          409: 'The address is taken, or a request with this Idempotency-Key is under way',
          ...mailFailures,
        }),
      },
    )
    .get('/:userId', async ({ request, params }) => readUser(client, params.userId, await scopeOf(request)), {
      params: ByCustodianUserId,
      response: { 200: response(User) },
      detail: operation('getCustodianUser', 'Get a user of the custodian bank', failuresOfOne),
    })
    .put(
      '/:userId',
      async ({ request, params, body }) => updateUser(client, params.userId, body, await scopeOf(request)),
      {
        params: ByCustodianUserId,
        body: UserChanges,
        response: { 200: response(User) },
        detail: operation('changeCustodianUser', 'Change the given fields of a user of the custodian bank', {
          ...failuresOfOne,
          400: 'A field is not valid, or a role does not exist or is not one of custodian banks',
          409: 'The address is taken',
          ...mailFailures,
        }),
      },
    )
    .delete(
      '/:userId',
      async ({ request, params }) => {
        await removeUser(client, params.userId, await scopeOf(request))
        return deleted('User deleted successfully')
      },
      {
        params: ByCustodianUserId,
        response: { 200: response(Deleted) },
        detail: operation(
          'deleteCustodianUser',
          'Delete a user of the custodian bank and end its sessions',
          failuresOfOne,
        ),
      },
    )
}
