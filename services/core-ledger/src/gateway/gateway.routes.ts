import { t } from '@bursar/contracts/schema'
import { errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../app'
import { approveFrozen, rejectFrozen } from '../transactions/review'
import { Rejection } from '../transactions/transactions.model'
import { createGatewayWithdrawal, getGatewayTransaction, toGateway } from './gateway'
import { GatewayId, GatewayQuery, GatewayTransaction, GatewayWithdrawal } from './gateway.model'
import { listGatewayTransactions } from './list-gateway'

type Deps = Pick<LedgerDeps, 'store' | 'lookup'>

const tags = ['Transactions, gateway form']
const one = { params: GatewayId, response: { 200: response(GatewayTransaction) } }

/** Spec 2, Endpoints, Transactions, gateway form. */
export const gatewayRoutes = (deps: Deps) => {
  const { store, lookup } = deps
  const once = idempotent(store, { keep: 'forever' })
  return new Elysia({ prefix: '/api/v1/core/transactions', tags })
    .get('/', ({ query }) => listGatewayTransactions(store, query), {
      query: GatewayQuery,
      response: { 200: response(t.Array(GatewayTransaction)) },
      detail: { summary: 'List transactions in gateway form, newest first' },
    })
    .get('/:id', ({ params }) => getGatewayTransaction(store, params.id), {
      ...one,
      detail: { summary: 'Get a transaction in gateway form' },
    })
    .post(
      '/withdrawal',
      ({ request, set, body }) =>
        once({ request, set }, 201, (store) => lookup.knowing(() => createGatewayWithdrawal(store, body))),
      {
        body: GatewayWithdrawal,
        response: { 201: response(GatewayTransaction) },
        detail: {
          summary: 'Withdraw to an address outside, in gateway form',
          responses: errorResponses({
            404: 'The account or the asset is not found',
            503: 'The account cannot be looked up right now',
          }),
        },
      },
    )
    .use(reviewRoutes(deps))
}

function reviewRoutes({ store }: Deps) {
  const once = idempotent(store, { keep: 'forever' })
  return new Elysia({ tags })
    .post(
      '/:id/reject-frozen-deposit',
      ({ request, set, params, body }) =>
        once({ request, set }, 200, (store) => rejectFrozen(store, params.id, 'deposit', body.reason, toGateway)),
      { ...one, body: Rejection, detail: { summary: 'Reject a frozen deposit, in gateway form' } },
    )
    .post(
      '/:id/approve-frozen-deposit',
      ({ request, set, params }) =>
        once({ request, set }, 200, (store) => approveFrozen(store, params.id, 'deposit', toGateway)),
      { ...one, detail: { summary: 'Approve a frozen deposit, in gateway form' } },
    )
    .post(
      '/:id/reject-frozen-withdrawal',
      ({ request, set, params, body }) =>
        once({ request, set }, 200, (store) => rejectFrozen(store, params.id, 'withdrawal', body.reason, toGateway)),
      { ...one, body: Rejection, detail: { summary: 'Reject a frozen withdrawal or transfer, in gateway form' } },
    )
    .post(
      '/:id/approve-frozen-withdrawal',
      ({ request, set, params }) =>
        once({ request, set }, 200, (store) => approveFrozen(store, params.id, 'withdrawal', toGateway)),
      { ...one, detail: { summary: 'Approve a frozen withdrawal or transfer, in gateway form' } },
    )
}
