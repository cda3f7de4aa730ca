import { createSingleFlight, type Deps, errorResponses, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../accounts/accounts.model'
import { accountBalance, type BalanceDeps, type UsdRate } from './balances'
import { AccountBalance } from './balances.model'

/** Spec 3, GET /accounts/:id/balance. */
export function balanceRoutes({ store, client }: Deps) {
  const deps: BalanceDeps = { read: store.read, client, now: () => new Date(), rates: createSingleFlight<UsdRate>() }
  return new Elysia({ prefix: '/accounts', tags: ['Accounts'] }).get(
    '/:id/balance',
    ({ params }) => accountBalance(deps, params.id),
    {
      params: ById,
      response: { 200: response(AccountBalance) },
      detail: {
        operationId: 'getAccountBalance',
        summary: 'Get an account’s holdings and their value in USD',
        responses: errorResponses({ 500: 'The balances or a rate could not be retrieved' }),
      },
    },
  )
}
