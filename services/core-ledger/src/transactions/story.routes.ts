import { exampleIds } from '@bursar/contracts/examples'
import { byId, nullable, t } from '@bursar/contracts/schema'
import { idempotencyKeys, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { actOf } from '../decisions/actors'
import { decisionsOf, toDecision } from '../decisions/decisions'
import { Decision, Note } from '../decisions/decisions.model'
import type { LedgerDeps } from '../deps'
import { moneyFailures } from '../movements/money-failures'
import { transactionById } from '../movements/read-transactions'
import { workOf } from '../movements/read-work'
import { ById } from '../movements/transactions.model'
import { countOpen, OpenCount } from '../reporting/counts'
import { entriesOf, toEntry } from '../reporting/entries'
import { Entry } from '../reporting/entries.model'
import { ReviewItem, ReviewQuery, ReviewTerms, reviewQueue, reviewTerms } from '../reporting/review-queue'
import { Execution, Stuck, StuckQuery } from '../withdrawals/execution.model'
import { retryWork, toExecution } from '../withdrawals/retry-work'
import { stuckTransactions } from '../withdrawals/stuck'

/** What operations look at: what waits, and what has become of one transaction. */
export const storyRoutes = ({ store, now, fourEyes }: LedgerDeps) =>
  new Elysia()
    .get('/counts', () => countOpen(store.read), {
      response: { 200: response(t.Array(OpenCount)) },
      detail: {
        operationId: 'countOpenTransactions',
        summary: 'How many transactions wait or have failed, by type and status, and the oldest of them',
        description: 'PENDING, FROZEN, APPROVED and FAILED; the others are not counted.',
      },
    })
    .get('/review', ({ query }) => reviewQueue({ db: store.read, fourEyes }, query), {
      query: ReviewQuery,
      response: { 200: response(t.Array(ReviewItem)) },
      detail: {
        operationId: 'listReview',
        summary: 'Frozen transactions, oldest first, with their worth and their approvals',
      },
    })
    .get('/stuck', ({ query }) => stuckTransactions(store.read, query, now()), {
      query: StuckQuery,
      response: { 200: response(t.Array(Stuck)) },
      detail: {
        operationId: 'listStuckTransactions',
        summary: 'Approved transactions that are late, and failed ones that were paid, oldest first',
      },
    })
    .get(
      '/:id/entries',
      async ({ params }) => {
        const { id, asset } = await transactionById(store.read, params.id)
        return (await entriesOf(store.read, id)).map((entry) => toEntry(entry, asset.decimals))
      },
      {
        params: ById,
        response: { 200: response(t.Array(Entry)) },
        detail: { operationId: 'listTransactionEntries', summary: 'The journal entries of a transaction' },
      },
    )
    .get(
      '/:id/decisions',
      async ({ params }) => {
        const { id } = await transactionById(store.read, params.id)
        return (await decisionsOf(store.read, id)).map(toDecision)
      },
      {
        params: ById,
        response: { 200: response(t.Array(Decision)) },
        detail: {
          operationId: 'listTransactionDecisions',
          summary: 'Who decided what about a transaction, oldest first',
        },
      },
    )
    .get('/:id/review', ({ params }) => reviewTerms({ db: store.read, fourEyes }, params.id), {
      params: byId(exampleIds.depositToReview),
      response: { 200: response(ReviewTerms) },
      detail: {
        operationId: 'getReviewTerms',
        summary: 'What the approval of a frozen transaction takes: its worth, how many persons, who has approved it',
      },
    })
    .get(
      '/:id/execution',
      async ({ params }) => {
        const { id } = await transactionById(store.read, params.id)
        const job = await workOf(store.read, id)
        return job ? toExecution(job) : jsonNull()
      },
      {
        params: ById,
        response: { 200: response(nullable(Execution)) },
        detail: {
          operationId: 'getTransactionExecution',
          summary: 'How far the execution of an approved transaction is; null for any other',
        },
      },
    )

/** Elysia would answer a null with no body at all, which is no JSON. */
const jsonNull = () => Response.json(null) as unknown as null

/** Moves no money itself, but wakes work that does. */
export function retryRoutes(deps: LedgerDeps) {
  const { store, now, execution } = deps
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia().post(
    '/:id/retry',
    ({ request, set, params, body }) =>
      once({ request, set }, async (reply) => {
        const act = await actOf(deps, request, body.note)
        const answer = await store.commit(async (tx) =>
          reply(tx, 200, toExecution(await retryWork(tx, params.id, act, now()))),
        )
        execution.wake()
        return answer
      }),
    {
      params: byId(exampleIds.withdrawalToRetry),
      body: Note,
      response: { 200: response(Execution) },
      detail: {
        ...idempotencyKeys('forever'),
        operationId: 'retryTransaction',
        summary: 'Bring the next attempt at an approved transaction forward',
        responses: moneyFailures(),
      },
    },
  )
}
