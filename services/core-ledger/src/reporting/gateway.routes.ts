import { exampleIds } from '@bursar/contracts/examples'
import { t } from '@bursar/contracts/schema'
import { idempotencyKeys, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { requireAccount } from '../accounts/require-account'
import { approvalFailures } from '../approvals/approval-failures'
import { reviewActions } from '../approvals/review-actions'
import { actorIn, recordEntry } from '../decisions/decisions'
import { Note, Proposed } from '../decisions/decisions.model'
import type { LedgerDeps } from '../deps'
import { moneyFailures } from '../movements/money-failures'
import { Rejection } from '../movements/transactions.model'
import { createGatewayWithdrawal, getGatewayTransaction, toGateway } from './gateway'
import { GatewayQuery, GatewayTransaction, GatewayWithdrawal, gatewayId } from './gateway.model'
import { listGatewayTransactions } from './list-gateway'

const tags = ['Transactions, gateway form']
const lasting = { ...idempotencyKeys('forever'), ...moneyFailures() }
const approving = { ...lasting, ...approvalFailures }
const one = { response: { 200: response(GatewayTransaction) } }
const approval = { body: Note, response: { 200: response(GatewayTransaction), 202: response(Proposed) } }

/** Spec 2, Endpoints, Transactions, gateway form. */
export const gatewayRoutes = (deps: LedgerDeps) => {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return (
    new Elysia({ prefix: '/api/v1/core/transactions', tags })
      .get('/', async ({ query }) => (await listGatewayTransactions(store.read, query)).map(toGateway), {
        query: GatewayQuery,
        response: { 200: response(t.Array(GatewayTransaction)) },
        detail: operation('listGatewayTransactions', 'List transactions in gateway form, newest first'),
      })
      .get('/:id', async ({ params }) => toGateway(await getGatewayTransaction(store.read, params.id)), {
        ...one,
        params: gatewayId(exampleIds.deposit),
        detail: operation('getGatewayTransaction', 'Get a transaction in gateway form'),
      })
      // This precedes the routes that move money.
      .onBeforeHandle(deps.books.requireOpen)
      .post(
        '/withdrawal',
        ({ request, set, body }) =>
          once({ request, set }, async (reply) => {
            deps.hotAddresses.requireOther(body.destinationAddress)
            await requireAccount(deps, body.accountId)
            const actor = await actorIn(deps, request)
            return await store.commit(async (tx) =>
              reply(
                tx,
                201,
                toGateway(await recordEntry(tx, actor, await createGatewayWithdrawal(tx, body, deps.now()))),
              ),
            )
          }),
        {
          body: GatewayWithdrawal,
          response: { 201: response(GatewayTransaction) },
          detail: operation('createGatewayWithdrawal', 'Withdraw to an external address, in gateway form', {
            ...lasting,
            ...moneyFailures({
              404: 'The account or the asset is not found',
              503: 'The account service is unavailable',
            }),
          }),
        },
      )
      .use(reviewRoutes(deps))
  )
}

function reviewRoutes(deps: LedgerDeps) {
  const { approve, reject } = reviewActions(deps, { approved: toGateway, rejected: toGateway })
  return new Elysia({ tags })
    .post('/:id/reject-frozen-deposit', reject('deposit'), {
      ...one,
      body: Rejection,
      params: gatewayId(exampleIds.depositToRejectAtGateway),
      detail: operation('rejectGatewayDeposit', 'Reject a frozen deposit, in gateway form', lasting),
    })
    .post('/:id/approve-frozen-deposit', approve('deposit'), {
      ...approval,
      params: gatewayId(exampleIds.depositToApproveAtGateway),
      detail: operation('approveGatewayDeposit', 'Approve a frozen deposit, in gateway form', approving),
    })
    .post('/:id/reject-frozen-withdrawal', reject('withdrawal'), {
      ...one,
      body: Rejection,
      params: gatewayId(exampleIds.withdrawalToRejectAtGateway),
      detail: operation('rejectGatewayWithdrawal', 'Reject a frozen withdrawal or transfer, in gateway form', lasting),
    })
    .post('/:id/approve-frozen-withdrawal', approve('withdrawal'), {
      ...approval,
      params: gatewayId(exampleIds.withdrawalToApproveAtGateway),
      detail: operation(
        'approveGatewayWithdrawal',
        'Approve a frozen withdrawal or transfer, in gateway form',
        approving,
      ),
    })
}
