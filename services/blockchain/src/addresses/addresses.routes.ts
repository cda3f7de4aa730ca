import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { nodeFailures } from '../networks/node-failure'
import { AddressBalances, AddressTransactions, BalanceQuery, ByAddress, HistoryQuery } from './addresses.model'
import { readBalances } from './balances'
import { readAddressTransactions } from './history'

/** Spec 3, Endpoints, Blockchain service. */
export const addressRoutes = ({ store, networks }: BlockchainDeps) =>
  new Elysia({ prefix: '/addresses', tags: ['Addresses'] })
    .get(
      '/:address',
      async ({ params, query }) => ({ data: await readBalances(store.read, networks, params.address, query) }),
      {
        params: ByAddress,
        query: BalanceQuery,
        response: { 200: response(AddressBalances) },
        detail: operation(
          'listAddressBalances',
          'List the balances of an address, on every network with this address form',
          nodeFailures({ 400: 'A filter is not valid, or the address is of no network here' }),
        ),
      },
    )
    .get(
      '/:address/transactions',
      ({ params, query }) => readAddressTransactions(store.read, networks, params.address, query),
      {
        params: ByAddress,
        query: HistoryQuery,
        response: { 200: response(AddressTransactions) },
        detail: operation(
          'listAddressTransactions',
          'List the movements to and from an address of this deployment, newest first',
          {
            description: 'Recorded since the address is watched. For any other address the list is empty.',
          },
        ),
      },
    )
