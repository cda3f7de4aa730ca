import { paymentChanges } from '@bursar/contracts/transaction-manager'
import { ChangesQuery, type Deps, idempotent, internalRoutes, operation, ownKeyOf, response } from '@bursar/http'
import type { Db } from '@bursar/store'
import { Elysia } from 'elysia'
import { additionalRequestsOf, createAdditionalRequest, toAdditionalRequest } from './additional-requests'
import { historyOf, nameOfCaller } from './history'
import {
  keysOfPayment,
  type PaymentRow,
  paymentByHash,
  paymentById,
  paymentRecords,
  toPayment,
  toPaymentRecord,
} from './payments'
import { ByHash, NewAdditionalRequest, OneAdditionalRequest, OnePaymentDetail } from './payments.model'
import { ByTransactionId } from './requests.model'

const ById = ByTransactionId('payment')

/** Spec 3, Endpoints, Transaction manager: payments of all types. */
export function transactionRoutes(deps: Deps) {
  const { store, identity } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/transactions', tags: ['Transactions'] })
    .get(
      '/:transactionId',
      ({ params }) => store.snapshot(async (db) => detailOf(db, await paymentById(db, params.transactionId))),
      {
        params: ById,
        response: { 200: response(OnePaymentDetail) },
        detail: operation('getPayment', 'Get a payment with its history and its requests for information'),
      },
    )
    .get(
      '/hash/:transactionHash',
      ({ params }) => store.snapshot(async (db) => detailOf(db, await paymentByHash(db, params.transactionHash))),
      {
        params: ByHash,
        response: { 200: response(OnePaymentDetail) },
        detail: operation('getPaymentByHash', 'Get a payment by its bank’s or chain’s hash'),
      },
    )
    .post(
      '/additional-request/:transactionId',
      ({ request, set, params, body }) =>
        once({ request, set }, async (reply) => {
          const by = nameOfCaller(await identity.read(request))
          const { transactionId } = params
          const keys = keysOfPayment(await paymentById(store.read, transactionId))
          return await store.commit(
            async (tx) =>
              reply(tx, 201, {
                data: toAdditionalRequest(await createAdditionalRequest(tx, transactionId, body, by, deps.now())),
              }),
            [ownKeyOf(request), ...keys],
          )
        }),
      {
        params: ById,
        body: NewAdditionalRequest,
        response: { 201: response(OneAdditionalRequest) },
        detail: operation('requestInformation', 'Ask for more information about a payment', {
          409: 'The payment already has 100 additional requests',
        }),
      },
    )
}

/** A payment with its history. */
const detailOf = async (db: Db, row: PaymentRow) => ({
  data: {
    ...toPayment(row),
    history: await historyOf(db, row.id),
    additionalRequests: (await additionalRequestsOf(db, row.id)).map(toAdditionalRequest),
  },
})

/** Called by other services only (contracts/transaction-manager.ts). */
export const internalPaymentRoutes = ({ store, identity }: Deps) =>
  internalRoutes(identity, '/internal/payments').get(
    '/changes',
    ({ query }) => paymentRecords.pageAfter(store, query.after, toPaymentRecord),
    { query: ChangesQuery, response: { 200: response(paymentChanges.answer) } },
  )
