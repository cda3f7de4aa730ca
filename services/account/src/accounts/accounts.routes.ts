import { t } from '@bursar/contracts/schema'
import { type Deps, errorResponses, foreverForServices, idempotent, jsonArray, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { readFilter } from './account-filter'
import { changeAccount, getAccount } from './accounts'
import { Account, AccountQuery, ById, NewAccount, StatusChange } from './accounts.model'
import { createAccount } from './create-account'
import { readAccounts } from './read-accounts'

/** Spec 3, Endpoints, Account service. DELETE is no route: every path that has a method answers others with 405. */
export function accountRoutes({ store, identity, client }: Deps) {
  const once = idempotent(store, { keep: foreverForServices(identity) })
  return new Elysia({ prefix: '/accounts', tags: ['Accounts'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createAccount(store, client, body)), {
      body: NewAccount,
      response: { 201: response(Account) },
      detail: {
        summary: 'Create an account',
        responses: errorResponses({
          404: 'The customer or the wallet account does not exist',
          409: 'accountExternalId or walletAccountId is taken, or a request with this Idempotency-Key is under way',
          502: 'Another service gave an answer that cannot be used',
          503: 'The customer service or the wallet service cannot be reached',
          504: 'The customer service or the wallet service did not answer in time',
        }),
      },
    })
    .get(
      '/',
      ({ query, request }) => jsonArray(readAccounts(store, readFilter(new URL(request.url).searchParams), query)),
      {
        query: AccountQuery,
        response: { 200: response(t.Array(Account)) },
        detail: { summary: 'List the accounts that all the filters take, oldest first' },
      },
    )
    .get('/:id', ({ params }) => getAccount(store, params.id), {
      params: ById,
      response: { 200: response(Account) },
      detail: { summary: 'Get an account' },
    })
    .put('/:id', ({ params, body }) => changeAccount(store, params.id, body), {
      params: ById,
      body: StatusChange,
      response: { 200: response(Account) },
      detail: { summary: 'Set the status of an account' },
    })
}
