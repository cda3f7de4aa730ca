import { BalanceRecord, getAccountBalances } from '@bursar/contracts/core-ledger'
import { t } from '@bursar/contracts/schema'
import { errorResponses, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../app'
import { someId } from '../fields/fields'
import { readBalanceFilter } from './balance-filter'
import { accountBalances, customerBalances, exactAccountBalances } from './balances'

const Records = t.Array(BalanceRecord)

/** What the filters' syntax allows is judged by balance-filter.ts, by the query string itself; this names them. */
const assetFilters = {
  'filter[assetCode]': t.Optional(t.String({ description: 'The code of an asset, in any case' })),
  'filter[assetId]': t.Optional(t.String({ description: 'A UUID' })),
}
const AccountQuery = t.Object(assetFilters)
const CustomerQuery = t.Object({ ...assetFilters, 'filter[accountId]': t.Optional(t.String()) })
const missing = (what: string) =>
  errorResponses({ 404: `There is no such ${what}`, 503: `The ${what} cannot be looked up` })

/** Spec 2, Endpoints, Balances. */
export const balanceRoutes = ({ store, lookup, identity }: Pick<LedgerDeps, 'store' | 'lookup' | 'identity'>) =>
  new Elysia({ tags: ['Balances'] })
    .get(
      '/balances/customer/:customerId',
      async ({ params, request }) => {
        const narrowed = readBalanceFilter(searchOf(request), ['assetCode', 'assetId', 'accountId'])
        await lookup.requireCustomer(params.customerId)
        return await customerBalances(store, params.customerId, narrowed)
      },
      {
        params: t.Object({ customerId: someId() }),
        query: CustomerQuery,
        response: { 200: response(Records) },
        detail: {
          summary: 'Balances across the accounts of a customer',
          responses: missing('customer'),
        },
      },
    )
    .get(
      '/balances/account/:accountId',
      async ({ params, request }) => {
        const narrowed = readBalanceFilter(searchOf(request), ['assetCode', 'assetId'])
        await lookup.requireAccount(params.accountId)
        return await accountBalances(store, params.accountId, narrowed)
      },
      {
        params: t.Object({ accountId: someId() }),
        query: AccountQuery,
        response: { 200: response(Records) },
        detail: {
          summary: 'Balances of an account',
          responses: missing('account'),
        },
      },
    )
    .get(
      getAccountBalances.path,
      async ({ params, request }) => {
        await requireService(identity, request)
        return await exactAccountBalances(store, params.accountId)
      },
      {
        params: t.Object({ accountId: someId() }),
        response: { 200: response(getAccountBalances.answer) },
        detail: { summary: 'Balances of an account, for other services', hide: true },
      },
    )

const searchOf = (request: Request): string => {
  const start = request.url.indexOf('?')
  return start < 0 ? '' : request.url.slice(start)
}
