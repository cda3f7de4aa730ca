import { batchOf } from '@bursar/contracts/batch'
import { getPaidOrders, OrderToProve } from '@bursar/contracts/blockchain'
import { answerEach, internalRoutes, response } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { paidOrder } from './paid-orders'

/** For the ledger only (contracts/blockchain.ts): payments of orders that it has lost. */
export const paidOrderRoutes = (deps: BlockchainDeps) =>
  internalRoutes(deps.identity, '/internal/sends', ['core-ledger']).post(
    '/paid',
    ({ body }) =>
      answerEach(
        body.items,
        ({ id }) => id,
        (asked) => paidOrder(deps, asked),
      ),
    { body: batchOf(OrderToProve), response: { 200: response(getPaidOrders.answer) } },
  )
