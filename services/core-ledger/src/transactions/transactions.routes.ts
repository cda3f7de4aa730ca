import { t } from '@bursar/contracts/schema'
import {
  answersOf,
  currentRequest,
  currentRequestId,
  idempotencyKeys,
  idempotent,
  jsonArray,
  operation,
  peerAddress,
  type Reply,
  response,
  totalHeader,
  unlessRefused,
} from '@bursar/http'
import { batched } from '@bursar/store'
import { Elysia } from 'elysia'
import { requireAccount } from '../accounts/require-account'
import { requireNoPerson } from '../approvals/four-eyes'
import { type Actor, actorIn, recordEntry } from '../decisions/decisions'
import { createDeposit } from '../deposits/create-deposit'
import { knownTransfers } from '../deposits/known-transfers'
import type { LedgerDeps } from '../deps'
import { completeScreenings } from '../movements/complete-screening'
import { moneyFailures } from '../movements/money-failures'
import { getTransaction, toTransaction, toTransactions } from '../movements/read-transactions'
import { screeningGuard } from '../movements/screening-guard'
import {
  ById,
  Enqueued,
  NewDeposit,
  NewTransfer,
  NewWithdrawal,
  ScreeningResult,
  Transaction,
  TransactionQuery,
  TransactionWithAsset,
} from '../movements/transactions.model'
import { countTransactions } from '../reporting/list-transactions'
import { worthyChunks } from '../reporting/worth-filter'
import { createTransfer, createWithdrawals } from '../withdrawals/create-withdrawal'
import { exportRoutes } from './export.routes'
import { reviewRoutes } from './review.routes'
import { retryRoutes, severalRoutes, storyRoutes } from './story.routes'

const created = {
  201: response(Transaction),
}
const noAccounts = { 404: 'The account or the asset is not found', 503: 'The account service is unavailable' }

/** Spec 2, Endpoints, Transactions, service form; deposits and transfers by decisions, Deposits and transfers. */
export const transactionRoutes = (deps: LedgerDeps) =>
  new Elysia({ prefix: '/transactions', tags: ['Transactions'] })
    .get(
      '/',
      async ({ query, set }) => {
        const { read } = deps.store
        // With `minUsd` the count is unknown before all rows are compared.
        if (query.count && query.minUsd === undefined) {
          set.headers[totalHeader] = String(await countTransactions(read, query))
        }
        return await jsonArray(toTransactions(worthyChunks({ db: read, rates: deps.rates }, query)), deps.log)
      },
      {
        query: TransactionQuery,
        response: { 200: response(t.Array(Transaction)) },
        detail: operation('listTransactions', 'List transactions, oldest first unless order says otherwise', {
          description:
            'All of them, unless limit is given. References, hashes and addresses are found at once and have an index. ' +
            'Filters by type, asset or network scan all transactions: give a time range, too.',
        }),
      },
    )
    .use(exportRoutes(deps))
    .use(severalRoutes(deps))
    .use(storyRoutes(deps))
    .get('/:id', ({ params }) => getTransaction(deps.store.read, params.id), {
      params: ById,
      response: { 200: response(TransactionWithAsset) },
      detail: operation('getTransaction', 'Get a transaction with its asset'),
    })
    // This precedes the routes that move money.
    .onBeforeHandle(deps.books.requireOpen)
    .use(creationRoutes(deps))
    .use(screeningRoutes(deps))
    .use(reviewRoutes(deps))
    .use(retryRoutes(deps))

function creationRoutes(deps: LedgerDeps) {
  const { store } = deps
  const once = idempotent(deps, { keep: 'forever' })
  const withdraw = withdrawing(deps)
  return new Elysia()
    .post(
      '/withdrawal',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          deps.hotAddresses.requireOther(body.destinationAddress)
          await requireAccount(deps, body.accountId)
          const actor = await actorIn(deps, request)
          return unlessRefused(await withdraw(store, { body, actor, reply, requestId: currentRequestId() }))
        }),
      {
        body: NewWithdrawal,
        response: created,
        detail: operation('createWithdrawal', 'Withdraw to an external address', {
          ...idempotencyKeys('forever'),
          ...moneyFailures(noAccounts),
        }),
      },
    )
    .post(
      '/deposit',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          await requireAccount(deps, body.accountId)
          const actor = await actorIn(deps, request)
          const known = await knownTransfers(deps, body)
          return await store.commit(async (tx) => {
            const { deposit, isNew } = await createDeposit(tx, body, { known, now: deps.now() })
            if (isNew) await recordEntry(tx, actor, deposit)
            return await reply(tx, isNew ? 201 : 200, toTransaction(deposit))
          })
        }),
      {
        body: NewDeposit,
        response: { 200: response(Transaction), ...created },
        detail: operation('createDeposit', 'Record a deposit from an external address', {
          ...idempotencyKeys('forever'),
          description:
            'A repeat with the same network, txHash and logIndex answers the first record, with 200. Without logIndex the ' +
            'transfer is found by its hash, account, asset and amount. When the chain itself reports the transfer, it is ' +
            'matched to this record. In production, on a followed network, the transfer must be final on the chain.',
          ...moneyFailures({
            404: noAccounts[404],
            409: 'The on-chain transfer is recorded with different contents',
            503: 'The account service or the chain is unavailable',
          }),
        }),
      },
    )
    .post(
      '/transfer',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          await requireAccount(deps, body.fromAccountId)
          await requireAccount(deps, body.toAccountId)
          const actor = await actorIn(deps, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toTransaction(await recordEntry(tx, actor, await createTransfer(tx, body, deps.now())))),
          )
        }),
      {
        body: NewTransfer,
        response: created,
        detail: operation('createTransfer', 'Transfer between two accounts', {
          ...idempotencyKeys('forever'),
          ...moneyFailures(noAccounts),
        }),
      },
    )
}

function screeningRoutes(deps: LedgerDeps) {
  const { store, config } = deps
  const once = idempotent(deps, { keep: 'forever' })
  const check = screeningGuard(config)
  const complete = batched(
    ({ body }: Asked<ScreeningResult>) => body.id.toLowerCase(),
    async (tx, all) => {
      const verdicts = all.map(({ body, requestId }) => ({ ...body, requestId }))
      const outcomes = await completeScreenings(tx, verdicts, deps.now())
      return await answersOf(all, outcomes, ({ reply }, { screeningApproved }) =>
        reply(tx, 200, screeningApproved ? { enqueued: true as const } : {}),
      )
    },
  )
  return new Elysia().post(
    '/complete-screening',
    ({ request, set, body }) =>
      once({ request, set }, async (reply) => {
        if (body.isApproved && deps.fourEyes.isOn) await requireNoPerson(deps, request, body.id)
        return unlessRefused(await complete(store, { body, reply, requestId: currentRequestId() }))
      }),
    {
      // Checked before the body is validated, so that a refused caller learns nothing about it.
      transform: ({ request, server }) =>
        check({
          headers: request.headers,
          body: currentRequest()?.body ?? '',
          address: peerAddress(request, server),
        }),
      body: ScreeningResult,
      response: { 200: response(Enqueued) },
      detail: operation('completeScreening', 'Accept the result of a screening', {
        ...idempotencyKeys('forever'),
        ...moneyFailures({
          401: 'The signature is missing or not valid',
          403: 'Results are not accepted from this address, or from one person alone (FOUR_EYES_USD)',
          404: 'There is no such transaction',
        }),
      }),
    },
  )
}

/** Creates withdrawals: requests that arrive at the same time share a commit. */
function withdrawing(deps: LedgerDeps) {
  return batched(
    // No key: several withdrawals of one account may share a batch.
    null,
    async (tx, all: readonly (Asked<NewWithdrawal> & { actor: Actor | null })[]) => {
      const inputs = all.map(({ body: input, requestId }) => ({ input, requestId }))
      const outcomes = await createWithdrawals(tx, inputs, deps.now())
      return await answersOf(all, outcomes, async ({ reply, actor }, made) =>
        reply(tx, 201, toTransaction(await recordEntry(tx, actor, made))),
      )
    },
  )
}

/** A request that shares its commit with others. */
interface Asked<Body> {
  body: Body
  reply: Reply
  requestId: string | null
}
