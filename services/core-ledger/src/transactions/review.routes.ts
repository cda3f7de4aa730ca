import { exampleIds } from '@bursar/contracts/examples'
import { byId } from '@bursar/contracts/schema'
import { idempotencyKeys, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { moneyFailures } from '../books/money-failures'
import type { LedgerDeps } from '../deps'
import { requireUnpaid } from './fail-approved'
import { failTransaction } from './move'
import { toRejected, toTransaction, transactionById } from './read-transactions'
import { approveFrozen, rejectFrozen } from './review'
import { Enqueued, Failure, Rejected, Rejection, Transaction } from './transactions.model'

const rejection = { body: Rejection, response: { 200: response(Rejected) } }
const approval = { response: { 200: response(Enqueued) } }
const lasting = { ...idempotencyKeys('forever'), responses: moneyFailures() }

/** Spec 2, Endpoints, Transactions, service form: the review of frozen transactions; decisions, Operator's way out. */
export function reviewRoutes(deps: LedgerDeps) {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia()
    .post(
      '/:id/reject-frozen-deposit',
      ({ request, set, params, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) =>
            reply(tx, 200, toRejected(await rejectFrozen(tx, params.id, 'deposit', body.reason))),
          ),
        ),
      {
        ...rejection,
        params: byId(exampleIds.depositToReject),
        detail: { ...lasting, operationId: 'rejectFrozenDeposit', summary: 'Reject a frozen deposit' },
      },
    )
    .post(
      '/:id/approve-frozen-deposit',
      ({ request, set, params }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => {
            await approveFrozen(tx, params.id, 'deposit')
            return await reply(tx, 200, { enqueued: true as const })
          }),
        ),
      {
        ...approval,
        params: byId(exampleIds.depositToApprove),
        detail: { ...lasting, operationId: 'approveFrozenDeposit', summary: 'Approve a frozen deposit' },
      },
    )
    .post(
      '/:id/reject-frozen-withdrawal',
      ({ request, set, params, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) =>
            reply(tx, 200, toRejected(await rejectFrozen(tx, params.id, 'withdrawal', body.reason))),
          ),
        ),
      {
        ...rejection,
        params: byId(exampleIds.withdrawalToReject),
        detail: {
          ...lasting,
          operationId: 'rejectFrozenWithdrawal',
          summary: 'Reject a frozen withdrawal or transfer',
        },
      },
    )
    .post(
      '/:id/approve-frozen-withdrawal',
      ({ request, set, params }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => {
            await approveFrozen(tx, params.id, 'withdrawal')
            return await reply(tx, 200, { enqueued: true as const })
          }),
        ),
      {
        ...approval,
        params: byId(exampleIds.withdrawalToApprove),
        detail: {
          ...lasting,
          operationId: 'approveFrozenWithdrawal',
          summary: 'Approve a frozen withdrawal or transfer',
        },
      },
    )
    .use(failureRoutes(deps))
}

/** Ours: the operator's way out. */
function failureRoutes(deps: LedgerDeps) {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia().post(
    '/:id/fail',
    ({ request, set, params, body }) =>
      once({ request, set }, async (reply) => {
        const reason = await requireUnpaid({ db: store.read, client: deps.client }, params.id, body.reason)
        return await store.commit(async (tx) => {
          await failTransaction(tx, params.id, reason)
          return await reply(tx, 200, toTransaction(await transactionById(tx, params.id)))
        })
      }),
    {
      params: byId(exampleIds.withdrawalToFail),
      body: Failure,
      response: { 200: response(Transaction) },
      detail: {
        ...lasting,
        operationId: 'failTransaction',
        summary: 'Fail an approved transaction that was not carried out',
        description:
          'A withdrawal is recorded at the wallet service as never to be paid first. What is held is released.',
        responses: moneyFailures({
          409: 'The wallet service has the withdrawal: it may be paid',
          503: 'The wallet service cannot be asked right now',
        }),
      },
    },
  )
}
