import { type Deps, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { getAccountState } from './accounts'
import { AccountState, ById } from './accounts.model'

/** For the other services only (contracts/account.ts). */
export const internalAccountRoutes = ({ store, identity }: Deps) =>
  new Elysia({ prefix: '/internal/accounts' }).get(
    '/:id',
    async ({ request, params }) => {
      await requireService(identity, request)
      return await getAccountState(store, params.id)
    },
    { params: ById, response: { 200: response(AccountState) }, detail: { hide: true } },
  )
