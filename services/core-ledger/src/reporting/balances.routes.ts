import { BalanceRecord, getAccountBalances } from '@bursar/contracts/core-ledger'
import { exampleIds } from '@bursar/contracts/examples'
import { t } from '@bursar/contracts/schema'
import { internalRoutes, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { requireAccount, requireCustomer } from '../accounts/require-account'
import type { LedgerDeps } from '../deps'
import { someId } from '../networks/fields'
import { listMovements } from '../portfolios/list-movements'
import { AccountMovement, MovementQuery, OfAccount } from '../portfolios/movements.model'
import { readBalanceFilter } from './balance-filter'
import { accountBalances, customerBalances, toBalance, toExactBalance } from './balances'

const Records = t.Array(BalanceRecord)

/** For the OpenAPI document only; balance-filter.ts validates the query string. */
const assetFilters = {
  'filter[assetCode]': t.Optional(t.String({ description: 'The code of an asset, in any case' })),
  'filter[assetId]': t.Optional(t.String({ description: 'A UUID' })),
}
const AccountQuery = t.Object(assetFilters)
const CustomerQuery = t.Object({
  ...assetFilters,
  'filter[accountId]': t.Optional(t.String({ description: 'The id of an account' })),
})
const missing = (what: string) => ({
  404: `There is no such ${what}`,
  503: `The ${what} service is unavailable`,
})

/** Spec 2, Endpoints, Balances. */
export const balanceRoutes = (deps: LedgerDeps) =>
  new Elysia({ tags: ['Balances'] })
    .get(
      '/balances/customer/:customerId',
      async ({ params, request }) => {
        const narrowed = readBalanceFilter(searchOf(request), ['assetCode', 'assetId', 'accountId'])
        const held = await customerBalances(deps.store.read, params.customerId, narrowed)
        // Only a customer that is known here has balances.
        if (held.length === 0) await requireCustomer(deps, params.customerId)
        return held.map(toBalance)
      },
      {
        params: t.Object({ customerId: someId(exampleIds.customer) }),
        query: CustomerQuery,
        response: { 200: response(Records) },
        detail: operation(
          'listCustomerBalances',
          'Get the balances of a customer, summed over the accounts',
          missing('customer'),
        ),
      },
    )
    .get(
      '/balances/account/:accountId',
      async ({ params, request }) => {
        const narrowed = readBalanceFilter(searchOf(request), ['assetCode', 'assetId'])
        const held = await accountBalances(deps.store.read, params.accountId, narrowed)
        // Only an account that is known here has balances.
        if (held.length === 0) await requireAccount(deps, params.accountId)
        return held.map(toBalance)
      },
      {
        params: t.Object({ accountId: someId(exampleIds.account) }),
        query: AccountQuery,
        response: { 200: response(Records) },
        detail: operation('listAccountBalances', 'Get the balances of an account', missing('account')),
      },
    )
    .get(
      '/balances/account/:accountId/movements',
      async ({ params, query }) => {
        await requireAccount(deps, params.accountId)
        return await listMovements(deps.store.read, params.accountId, query)
      },
      {
        params: OfAccount,
        query: MovementQuery,
        response: { 200: response(t.Array(AccountMovement)) },
        detail: operation(
          'listAccountMovements',
          'List the movements at a portfolio’s addresses besides its transactions',
          {
            description:
              'In order of confirmation. Together with its transactions they explain the balances of a PORTFOLIO account; ' +
              'an account of another type usually has none.',
            ...missing('account'),
          },
        ),
      },
    )

/** An account's balances in full precision, for other services. */
export const internalBalanceRoutes = ({ identity, store }: LedgerDeps) =>
  internalRoutes(identity, '').get(
    getAccountBalances.path,
    async ({ params }) => (await accountBalances(store.read, params.accountId)).map(toExactBalance),
    { params: t.Object({ accountId: someId() }), response: { 200: response(getAccountBalances.answer) } },
  )

const searchOf = (request: Request): string => {
  const start = request.url.indexOf('?')
  return start < 0 ? '' : request.url.slice(start)
}
