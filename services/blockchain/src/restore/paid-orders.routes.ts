import { batchOf } from '@bursar/contracts/batch'
import { getPaidOrders, OrderToProve } from '@bursar/contracts/blockchain'
import { answerEach, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { paidOrder } from './paid-orders'

/** For the ledger only (contracts/blockchain.ts): payments of orders that it has lost. */
export const paidOrderRoutes = (deps: BlockchainDeps) =>
  new Elysia({ prefix: '/internal/sends', detail: { hide: true } }).post(
    '/paid',
    async ({ request, body }) => {
      await requireService(deps.identity, request, ['core-ledger'])
      return await answerEach(
        body.items,
        ({ id }) => id,
        (asked) => paidOrder(deps, asked),
      )
    },
    { body: batchOf(OrderToProve), response: { 200: response(getPaidOrders.answer) } },
  )
