import { type Deps, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { getAccount } from '../accounts/accounts'
import { AccountHistory, ById } from '../accounts/accounts.model'
import { accountHistory } from './history'

/** Ours: what became of an account, who did it and why. */
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
      detail: { operationId: 'listAccountHistory', summary: 'List the changes of an account’s status, oldest first' },
    },
  )
