import { t } from '@bursar/contracts/schema'
import { operation, response, totalHeader } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { openOrderList, openOrders, orderOf } from './open-orders'
import { ByTransaction, WithdrawalOrder, WithdrawalOrderQuery } from './order.model'

/** Not in the specification: orders to pay out, for operators. */
export const orderRoutes = ({ store }: WalletDeps) =>
  new Elysia({ prefix: '/wallets/withdrawals', tags: ['Withdrawals'] })
    .get(
      '/',
      async ({ query, set }) => {
        if (query.count) set.headers[totalHeader] = String(await openOrderList.count(store.read, query))
        return await openOrders(store.read, query)
      },
      {
        query: WithdrawalOrderQuery,
        response: { 200: response(t.Array(WithdrawalOrder)) },
        detail: operation('listOpenWithdrawals', 'List orders that have not ended, oldest first'),
      },
    )
    .get('/:transactionId', ({ params }) => orderOf(store.read, params.transactionId), {
      params: ByTransaction,
      response: { 200: response(WithdrawalOrder) },
      detail: operation('getWithdrawalOrder', 'Get the order of a withdrawal of the ledger', {
        404: 'No order has this id',
      }),
    })
