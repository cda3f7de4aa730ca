import { t } from '@bursar/contracts/schema'
import { currentRequest, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../app'
import { ById } from '../fields/fields'
import { completeScreening } from './complete-screening'
import { createDeposit, DepositKnown } from './create-deposit'
import { createTransfer, createWithdrawal } from './create-withdrawal'
import { transactionChunks } from './list-transactions'
import { getTransaction } from './read-transactions'
import { approveFrozen, rejectFrozen, reviewed } from './review'
import { screeningGuard } from './screening-guard'
import { streamOf } from './stream'
import {
  Enqueued,
  NewDeposit,
  NewTransfer,
  NewWithdrawal,
  Rejected,
  Rejection,
  ScreeningResult,
  Transaction,
  TransactionQuery,
  TransactionWithAsset,
} from './transactions.model'

type Deps = Pick<LedgerDeps, 'store' | 'lookup' | 'config' | 'log'>

const created = {
  201: response(Transaction),
}
const noAccounts = { 404: 'The account or the asset is not found', 503: 'The account cannot be looked up right now' }

/** Spec 2, Endpoints, Transactions, service form; deposits and transfers as decisions have them. */
export const transactionRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/transactions', tags: ['Transactions'] })
    .get('/', ({ query }) => streamOf(transactionChunks(deps.store, query), deps.log), {
      query: TransactionQuery,
      response: { 200: response(t.Array(Transaction)) },
      detail: { summary: 'List transactions, oldest first', description: 'All of them, unless told otherwise.' },
    })
    .get('/:id', ({ params }) => getTransaction(deps.store, params.id), {
      params: ById,
      response: { 200: response(TransactionWithAsset) },
      detail: { summary: 'Get a transaction with its asset' },
    })
    .use(creationRoutes(deps))
    .use(screeningRoutes(deps))
    .use(reviewRoutes(deps))

function creationRoutes({ store, lookup }: Deps) {
  const once = idempotent(store, { keep: 'forever' })
  return new Elysia()
    .post(
      '/withdrawal',
      ({ request, set, body }) =>
        once({ request, set }, 201, (store) => lookup.knowing(() => createWithdrawal(store, body))),
      {
        body: NewWithdrawal,
        response: created,
        detail: { summary: 'Withdraw to an address outside', responses: errorResponses(noAccounts) },
      },
    )
    .post(
      '/deposit',
      async ({ request, set, body, status }) => {
        try {
          return await once({ request, set }, 201, (store) => lookup.knowing(() => createDeposit(store, body)))
        } catch (error) {
          if (error instanceof DepositKnown) return status(200, error.deposit)
          throw error
        }
      },
      {
        body: NewDeposit,
        response: { 200: response(Transaction), ...created },
        detail: {
          summary: 'Record a deposit from an address outside',
          description: 'The same network, txHash and logIndex again answers the first record, with 200.',
          responses: errorResponses({ ...noAccounts, 409: 'The on-chain transfer is recorded with other contents' }),
        },
      },
    )
    .post(
      '/transfer',
      ({ request, set, body }) =>
        once({ request, set }, 201, (store) => lookup.knowing(() => createTransfer(store, body))),
      {
        body: NewTransfer,
        response: created,
        detail: { summary: 'Transfer between two accounts', responses: errorResponses(noAccounts) },
      },
    )
}

function screeningRoutes({ store, config }: Deps) {
  const once = idempotent(store, { keep: 'forever' })
  const check = screeningGuard(config.screeningSecret, config.screeningAllow)
  return new Elysia().post(
    '/complete-screening',
    ({ request, set, body }) => once({ request, set }, 200, (store) => completeScreening(store, body)),
    {
      // Before the body is judged: who may not call learns nothing.
      transform: ({ request, server }) =>
        check({
          headers: request.headers,
          body: currentRequest()?.body ?? '',
          address: server?.requestIP(request)?.address ?? null,
        }),
      body: ScreeningResult,
      response: { 200: response(Enqueued) },
      detail: {
        summary: 'Take the result of a screening',
        responses: errorResponses({
          401: 'The signature is missing or not valid',
          403: 'Results are not taken from this address',
          404: 'There is no such transaction',
        }),
      },
    },
  )
}

function reviewRoutes({ store }: Deps) {
  const once = idempotent(store, { keep: 'forever' })
  const rejection = { params: ById, body: Rejection, response: { 200: response(Rejected) } }
  const approval = { params: ById, response: { 200: response(Enqueued) } }
  return new Elysia()
    .post(
      '/:id/reject-frozen-deposit',
      ({ request, set, params, body }) =>
        once({ request, set }, 200, (store) =>
          rejectFrozen(store, params.id, 'deposit', body.reason, reviewed.rejected),
        ),
      { ...rejection, detail: { summary: 'Reject a frozen deposit' } },
    )
    .post(
      '/:id/approve-frozen-deposit',
      ({ request, set, params }) =>
        once({ request, set }, 200, (store) => approveFrozen(store, params.id, 'deposit', reviewed.approved)),
      { ...approval, detail: { summary: 'Approve a frozen deposit' } },
    )
    .post(
      '/:id/reject-frozen-withdrawal',
      ({ request, set, params, body }) =>
        once({ request, set }, 200, (store) =>
          rejectFrozen(store, params.id, 'withdrawal', body.reason, reviewed.rejected),
        ),
      { ...rejection, detail: { summary: 'Reject a frozen withdrawal or transfer' } },
    )
    .post(
      '/:id/approve-frozen-withdrawal',
      ({ request, set, params }) =>
        once({ request, set }, 200, (store) => approveFrozen(store, params.id, 'withdrawal', reviewed.approved)),
      { ...approval, detail: { summary: 'Approve a frozen withdrawal or transfer' } },
    )
}
