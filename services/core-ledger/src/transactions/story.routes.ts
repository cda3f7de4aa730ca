import { exampleIds } from '@bursar/contracts/examples'
import { byId, nullable, t } from '@bursar/contracts/schema'
import { idempotencyKeys, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { actOf, decisionsOf, toDecision } from '../decisions/decisions'
import { Decision, Note } from '../decisions/decisions.model'
import type { LedgerDeps } from '../deps'
import { moneyFailures } from '../movements/money-failures'
import { toTransactionWithAsset, transactionById, transactionsById } from '../movements/read-transactions'
import { workOf } from '../movements/read-work'
import { ById, SeveralQuery, TransactionWithAsset } from '../movements/transactions.model'
import { countOpen, OpenCount } from '../reporting/counts'
import { entriesOf, toEntry } from '../reporting/entries'
import { Entry } from '../reporting/entries.model'
import { OpenWork, openWork } from '../reporting/open-work'
import { Parties, partiesOf } from '../reporting/parties'
import { ReviewItem, ReviewQuery, ReviewTerms, reviewQueue, reviewTerms } from '../reporting/review-queue'
import { Execution, Stuck, StuckQuery } from '../withdrawals/execution.model'
import { retryWork, toExecution } from '../withdrawals/retry-work'
import { stuckTransactions } from '../withdrawals/stuck'

/** Not in the specification: several transactions by id, for the rows of another list. */
export const severalRoutes = ({ store }: LedgerDeps) =>
  new Elysia().get(
    '/several',
    async ({ query }) => {
      const found = await transactionsById(store.read, query.ids)
      return [...found.values()].map(toTransactionWithAsset)
    },
    {
      query: SeveralQuery,
      response: { 200: response(t.Array(TransactionWithAsset)) },
      detail: operation('listTransactionsById', 'Get several transactions by their ids, each with its asset', {
        description: 'At most 100: `ids=a&ids=b`, or `ids=a,b`. Unknown ids are left out; the order is any.',
      }),
    },
  )

/** For operators: transactions that wait, and the history of one transaction. */
export const storyRoutes = ({ store, now, fourEyes, rates }: LedgerDeps) =>
  new Elysia()
    .get('/counts', () => countOpen(store.read), {
      response: { 200: response(t.Array(OpenCount)) },
      detail: operation(
        'countOpenTransactions',
        'Count the transactions that wait or have failed, by type and status, with the oldest of each',
        {
          description: 'PENDING, FROZEN, APPROVED and FAILED; the others are not counted.',
        },
      ),
    })
    .get('/open', () => openWork({ db: store.read, fourEyes }, now()), {
      response: { 200: response(OpenWork) },
      detail: operation(
        'getOpenWork',
        'Get what waits for a person: the counts, and the oldest frozen and stuck transactions',
      ),
    })
    .get('/review', ({ query }) => reviewQueue({ db: store.read, fourEyes }, query), {
      query: ReviewQuery,
      response: { 200: response(t.Array(ReviewItem)) },
      detail: operation('listReview', 'List frozen transactions, oldest first, with their value and approvals'),
    })
    .get('/stuck', ({ query }) => stuckTransactions(store.read, query, now()), {
      query: StuckQuery,
      response: { 200: response(t.Array(Stuck)) },
      detail: operation(
        'listStuckTransactions',
        'List approved transactions that are late, and failed ones that were paid, oldest first',
      ),
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
        detail: operation('listTransactionEntries', 'List the journal entries of a transaction'),
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
        detail: operation('listTransactionDecisions', 'List the decisions about a transaction, oldest first'),
      },
    )
    .get('/:id/review', ({ params }) => reviewTerms({ db: store.read, fourEyes }, params.id), {
      params: byId(exampleIds.depositToReview),
      response: { 200: response(ReviewTerms) },
      detail: operation(
        'getReviewTerms',
        'Get what the approval of a frozen transaction needs: its value, the number of persons, the approvals so far',
      ),
    })
    .get('/:id/parties', ({ params }) => partiesOf({ db: store.read, rates }, params.id), {
      params: ById,
      response: { 200: response(Parties) },
      detail: operation(
        'getTransactionParties',
        'Get what the customer and the counterparty of a transaction usually do',
      ),
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
        detail: operation(
          'getTransactionExecution',
          'Get the progress of an approved transaction’s execution; null for any other transaction',
        ),
      },
    )

/** Elysia would answer null with an empty body, which is not JSON. */
const jsonNull = () => Response.json(null) as unknown as null

/** A retry moves no money itself, but wakes the work that does. */
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
      detail: operation('retryTransaction', 'Retry an approved transaction now', {
        ...idempotencyKeys('forever'),
        ...moneyFailures(),
      }),
    },
  )
}
