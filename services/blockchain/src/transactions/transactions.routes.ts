import { exampleApiKey } from '@bursar/contracts/examples'
import { forParticipant, idempotencyKeys, idempotent, operation, type Reply, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { nodeFailures } from '../networks/node-failure'
import { omnibusPayerOf, payerOf } from './caller'
import { findNetworkTransaction } from './find-transaction'
import { newTransfer, newWithdraw, orderTransaction, type TransactionRow } from './order-transaction'
import { getOrdered, present } from './ordered-transactions'
import {
  ByHash,
  ByType,
  NetworkTransaction,
  NewTransfer,
  NewWithdraw,
  OrderedTransaction,
  TransferReference,
  WithdrawReference,
} from './transactions.model'

const failures = {
  401: 'No participant is found in the request',
  502: 'The participant service gave an answer that cannot be used',
  503: 'The participant service, or the network, cannot be reached',
  504: 'The participant service did not answer in time',
}
const orderFailures = {
  ...failures,
  409: 'Another transaction of this type has the transactionId, or a request with this Idempotency-Key is under way',
  422: 'The participant has no omnibus account, or the network no redemption address; or the Idempotency-Key was used for another request',
}
const notFound = { ...failures, 404: 'The caller has no transaction of this name and type' }
const paying = { ...forParticipant(exampleApiKey), ...idempotencyKeys('forever') }
const looking = { ...forParticipant(exampleApiKey), ...idempotencyKeys('none') }
const ordered = { 200: response(OrderedTransaction), 201: response(OrderedTransaction) }

/** Spec 3, Endpoints, Blockchain service. */
export function transactionRoutes(deps: BlockchainDeps) {
  const { store, networks, wakes } = deps
  const once = idempotent(deps, { keep: 'forever' })

  async function record(reply: Reply, row: TransactionRow) {
    const answer = await store.commit(async (tx) => {
      const { row: kept, isNew } = await orderTransaction(tx, row)
      return reply(tx, isNew ? 201 : 200, await present(tx, networks, kept))
    })
    wakes.wake('orders')
    return answer
  }

  return new Elysia({ prefix: '/transactions', tags: ['Transactions'] })
    .post(
      '/withdraw',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) =>
          record(reply, await newWithdraw(deps, await omnibusPayerOf(deps, request), body)),
        ),
      {
        body: NewWithdraw,
        response: ordered,
        detail: operation('withdrawToBank', 'Pay out to a bank account', {
          ...paying,
          description:
            'A withdrawal of the core ledger, which debits the caller’s omnibus account, screens it, and sends it to the ' +
            'redemption address of the network, whose owner pays the bank account. A repeated transactionId returns the ' +
            'existing transaction (200).',
          ...orderFailures,
        }),
      },
    )
    .post(
      '/transfer',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) =>
          record(reply, await newTransfer(deps, await omnibusPayerOf(deps, request), body)),
        ),
      {
        body: NewTransfer,
        response: ordered,
        detail: operation('transferToAddress', 'Send to an address', {
          ...paying,
          description:
            'A withdrawal of the core ledger, which debits the caller’s omnibus account, screens it, and sends it. A repeated ' +
            'transactionId returns the existing transaction (200).',
          ...orderFailures,
        }),
      },
    )
    .use(referenceRoutes(deps))
    .post('/:type', ({ params }) => unknownType(params.type), { params: ByType, detail: { hide: true } })
    .post('/reference/:type', ({ params }) => unknownType(params.type), { params: ByType, detail: { hide: true } })
    .get('/:transactionHash', ({ params }) => findNetworkTransaction(store.read, networks, params.transactionHash), {
      params: ByHash,
      response: { 200: response(NetworkTransaction) },
      detail: operation('getNetworkTransaction', 'Get a transaction by its hash, from any network', {
        ...nodeFailures({ 404: 'No network here knows it' }),
      }),
    })
}

/** The caller's orders, by its own ids. */
function referenceRoutes(deps: BlockchainDeps) {
  const { store, networks } = deps
  async function find(request: Request, type: TransactionRow['type'], transactionId: string) {
    const { participantId } = await payerOf(deps, request)
    return await present(store.read, networks, await getOrdered(store.read, participantId, type, transactionId))
  }
  return new Elysia()
    .post('/reference/withdraw', ({ request, body }) => find(request, 'withdraw', body.transactionId), {
      body: WithdrawReference,
      response: { 200: response(OrderedTransaction) },
      detail: operation('findBankWithdrawal', 'Find a payment to a bank account by its transactionId', {
        ...looking,
        ...notFound,
      }),
    })
    .post('/reference/transfer', ({ request, body }) => find(request, 'transfer', body.transactionId), {
      body: TransferReference,
      response: { 200: response(OrderedTransaction) },
      detail: operation('findAddressTransfer', 'Find a transfer by its transactionId', { ...looking, ...notFound }),
    })
}

function unknownType(type: string): never {
  throw fail('NOT_FOUND', { message: `There is no transaction type ${type}; there are withdraw and transfer` })
}
