import { needsSecret, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { findUsers } from './list-users'
import { namesScope, requireUser } from './scope'
import { getUser, toKnownUser } from './users'
import { KnownUser, readIds, Usernames, UsernamesQuery } from './users.model'

/** Spec 3, Endpoints, Identity manager: the calling user, and the names of users. */
export const nameRoutes = ({ store, identity }: IdentityManagerDeps) =>
  new Elysia({ prefix: '/users', tags: ['Users'] })
    .get(
      '/profile',
      async ({ request }) => {
        const { subject } = await requireUser(identity, request)
        return toKnownUser(await getUser(store.read, subject))
      },
      {
        response: { 200: response(KnownUser) },
        detail: operation('getProfile', 'Get the user that is logged in', {
          ...needsSecret,
          401: 'The request has no user',
          404: 'The user was deleted',
        }),
      },
    )
    .get(
      '/usernames',
      async ({ request, query }) => {
        const rows = await findUsers(store.read, await namesScope(identity, request), readIds(query.ids))
        return { data: rows.map(({ id, name }) => ({ id, name })) }
      },
      {
        query: UsernamesQuery,
        response: { 200: response(Usernames) },
        detail: operation('listUsernames', 'Get the names of users', {
          description: 'Ids of unknown users, or users not visible to the caller, are left out.',
        }),
      },
    )
