import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { ById } from '../participants/participants.model'
import { pageOfUsers } from './users'
import { UserPage, UserQuery, userFailures } from './users.model'

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
