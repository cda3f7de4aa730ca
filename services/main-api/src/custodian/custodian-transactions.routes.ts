import { exampleInstitutionKey } from '@bursar/contracts/examples'
import { forParticipant, operation, page, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'
import { listBankPayments } from '../payments/list-payments'
import { findBankPayment } from '../payments/payments'
import {
  ByTransactionId,
  CustodianTransaction,
  CustodianTransactionPage,
  PaymentQuery,
  toCustodianTransaction,
} from '../payments/payments.model'
import { callingCustodian, custodianFailures } from './caller-custodian'

/** Spec 3, Main API: custodian module. The payments from or to accounts at the caller's custodian bank. */
export const custodianTransactionRoutes = (deps: MainApiDeps) =>
  new Elysia({ prefix: '/custodian-bank/transactions', tags: ['Custodian bank'] })
    .get(
      '/',
      async ({ request, query }) => {
        const { id } = await callingCustodian(deps, request)
        const { rows, total } = await deps.store.snapshot((db) => listBankPayments(db, id, query))
        return page(rows.map(toCustodianTransaction), query, total)
      },
      {
        query: PaymentQuery,
        response: { 200: response(CustodianTransactionPage) },
        detail: operation('listCustodianTransactions', 'List the payments of the custodian bank', {
          ...forParticipant(exampleInstitutionKey),
          ...custodianFailures,
        }),
      },
    )
    .get(
      '/:transactionId',
      async ({ request, params }) => {
        const { id } = await callingCustodian(deps, request)
        const payment = await findBankPayment(deps.store.read, id, params.transactionId)
        if (!payment) throw fail('NOT_FOUND', { message: 'Transaction not found' })
        return toCustodianTransaction(payment)
      },
      {
        params: ByTransactionId,
        response: { 200: response(CustodianTransaction) },
        detail: operation('getCustodianTransaction', 'Get a payment of the custodian bank', {
          ...custodianFailures,
          404: 'The caller has no custodian bank, or the payment does not involve the bank',
        }),
      },
    )
