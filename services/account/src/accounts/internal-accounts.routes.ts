import { answerEach, type Deps, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { accountRecords, getAccountState, toRecord } from './accounts'
import { AccountChanges, AccountState, AccountStates, After, ById, Ids } from './accounts.model'

/** Called by other services only (contracts/account.ts). */
export const internalAccountRoutes = ({ store, identity }: Deps) =>
  new Elysia({ prefix: '/internal/accounts', detail: { hide: true } })
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await accountRecords.pageAfter(store.read, query.after, toRecord)
      },
      { query: After, response: { 200: response(AccountChanges) } },
    )
    .post(
      '/states',
      async ({ request, body }) => {
        await requireService(identity, request)
        return await answerEach(body.items, String, (id) => getAccountState(store.read, id))
      },
      { body: Ids, response: { 200: response(AccountStates) } },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await getAccountState(store.read, params.id)
      },
      { params: ById, response: { 200: response(AccountState) } },
    )
