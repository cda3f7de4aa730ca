import { createSingleFlight, type Deps, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../accounts/accounts.model'
import { accountBalance, type BalanceDeps, type UsdRate } from './balances'
import { AccountBalance } from './balances.model'

/** Spec 3, GET /accounts/:id/balance. */
export function balanceRoutes({ store, client, now }: Deps) {
  const deps: BalanceDeps = { read: store.read, client, now, rates: createSingleFlight<UsdRate>() }
  return new Elysia({ prefix: '/accounts', tags: ['Accounts'] }).get(
    '/:id/balance',
    ({ params }) => accountBalance(deps, params.id),
    {
      params: ById,
      response: { 200: response(AccountBalance) },
      detail: operation('getAccountBalance', 'Get an account’s holdings and their value in USD', {
        500: 'The balances or a rate could not be retrieved',
      }),
    },
  )
}
