import { type Deps, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { accountHistory } from '../history/history'
import { getAccount } from './accounts'
import { AccountHistory, ById } from './accounts.model'

/** Not in the specification: the changes of an account's status, with their actors and reasons. */
export const historyRoutes = ({ store }: Deps) =>
  new Elysia({ prefix: '/accounts', tags: ['Accounts'] }).get(
    '/:id/history',
    async ({ params: { id } }) => {
      await getAccount(store.read, id)
      return await accountHistory.of(store.read, id)
    },
    {
      params: ById,
      response: { 200: response(AccountHistory) },
      detail: operation('listAccountHistory', 'List the changes of an account’s status, oldest first'),
    },
  )
