import { exampleIds } from '@bursar/contracts/examples'
import { byId } from '@bursar/contracts/schema'
import { idempotencyKeys, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { approvalFailures } from '../approvals/approval-failures'
import { coverRoutes } from '../approvals/cover.routes'
import { releaseDeposit } from '../approvals/release'
import { returnRoutes } from '../approvals/returns.routes'
import { failApproved } from '../approvals/review'
import { deciding, reviewActions } from '../approvals/review-actions'
import { actOf } from '../decisions/decisions'
import { Note, Proposed } from '../decisions/decisions.model'
import type { LedgerDeps } from '../deps'
import { moneyFailures } from '../movements/money-failures'
import { toRejected, toTransaction } from '../movements/read-transactions'
import { Enqueued, Failure, Rejected, Rejection, Release, Transaction } from '../movements/transactions.model'
import { requireUnpaid } from '../withdrawals/fail-approved'

const rejection = { body: Rejection, response: { 200: response(Rejected) } }
const approval = { body: Note, response: { 200: response(Enqueued), 202: response(Proposed) } }
const lasting = { ...idempotencyKeys('forever'), ...moneyFailures() }
const approving = { ...lasting, ...approvalFailures }

/** Spec 2, Endpoints, Transactions, service form: the review of frozen transactions; decisions, Operator's way out. */
export function reviewRoutes(deps: LedgerDeps) {
  const { approve, reject } = reviewActions(deps, {
    approved: () => ({ enqueued: true as const }),
    rejected: toRejected,
  })
  return new Elysia()
    .post('/:id/reject-frozen-deposit', reject('deposit'), {
      ...rejection,
      params: byId(exampleIds.depositToReject),
      detail: operation('rejectFrozenDeposit', 'Reject a frozen deposit', lasting),
    })
    .post('/:id/approve-frozen-deposit', approve('deposit'), {
      ...approval,
      params: byId(exampleIds.depositToApprove),
      detail: operation('approveFrozenDeposit', 'Approve a frozen deposit', approving),
    })
    .post('/:id/reject-frozen-withdrawal', reject('withdrawal'), {
      ...rejection,
      params: byId(exampleIds.withdrawalToReject),
      detail: operation('rejectFrozenWithdrawal', 'Reject a frozen withdrawal or transfer', lasting),
    })
    .post('/:id/approve-frozen-withdrawal', approve('withdrawal'), {
      ...approval,
      params: byId(exampleIds.withdrawalToApprove),
      detail: operation('approveFrozenWithdrawal', 'Approve a frozen withdrawal or transfer', approving),
    })
    .use(failureRoutes(deps))
    .use(releaseRoutes(deps))
    .use(returnRoutes(deps))
    .use(coverRoutes(deps))
}

/** Not in the specification: an operator fails an approved transaction. */
function failureRoutes(deps: LedgerDeps) {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia().post(
    '/:id/fail',
    ({ request, set, params, body }) =>
      once({ request, set }, async (reply) => {
        const reason = await requireUnpaid({ db: store.read, client: deps.client }, params.id, body.reason)
        const act = await actOf(deps, request, body.reason)
        return await store.commit(async (tx) =>
          reply(tx, 200, toTransaction(await failApproved(tx, params.id, reason, act, deps.now()))),
        )
      }),
    {
      params: byId(exampleIds.withdrawalToFail),
      body: Failure,
      response: { 200: response(Transaction) },
      detail: operation('failTransaction', 'Fail an approved transaction that was not carried out', {
        ...lasting,
        description:
          'For a withdrawal, the wallet service first records that it must never be paid. The hold is released.',
        ...moneyFailures({
          409: 'The wallet service has the withdrawal: it may be paid',
          503: 'The wallet service is unavailable',
        }),
      }),
    },
  )
}

/** Not in the specification: releasing a deposit in suspense. */
const releaseRoutes = (deps: LedgerDeps) =>
  new Elysia().post('/:id/release', deciding(deps, 200, releaseDeposit), {
    params: byId(exampleIds.depositToRelease),
    body: Release,
    response: { 200: response(Transaction), 202: response(Proposed) },
    detail: operation('releaseDeposit', 'Credit a rejected or failed deposit after all', {
      ...approving,
      description: `Until then it stays in suspense, in no balance. ${approvalFailures.description}`,
    }),
  })
