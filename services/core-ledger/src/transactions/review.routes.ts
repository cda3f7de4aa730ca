import { idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { ById } from '../fields/fields'
import { toRejected } from './read-transactions'
import { approveFrozen, rejectFrozen } from './review'
import { Enqueued, Rejected, Rejection } from './transactions.model'

const rejection = { params: ById, body: Rejection, response: { 200: response(Rejected) } }
const approval = { params: ById, response: { 200: response(Enqueued) } }

/** Spec 2, Endpoints, Transactions, service form: the review of frozen transactions. */
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
      { ...rejection, detail: { summary: 'Reject a frozen deposit' } },
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
      { ...approval, detail: { summary: 'Approve a frozen deposit' } },
    )
    .post(
      '/:id/reject-frozen-withdrawal',
      ({ request, set, params, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) =>
            reply(tx, 200, toRejected(await rejectFrozen(tx, params.id, 'withdrawal', body.reason))),
          ),
        ),
      { ...rejection, detail: { summary: 'Reject a frozen withdrawal or transfer' } },
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
      { ...approval, detail: { summary: 'Approve a frozen withdrawal or transfer' } },
    )
}
