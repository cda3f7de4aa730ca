import { t } from '@bursar/contracts/schema'
import { csvAnswer, csvResponse, type Deps, operation, response, totalHeader } from '@bursar/http'
import { Elysia } from 'elysia'
import { Payment } from '../payments/payments.model'
import { allPayments, isBetween, listBetween } from './list-between'
import { countsWithOldest, listPayments, paymentColumns, paymentsOf } from './list-payments'
import { PaymentCount, PaymentExportQuery, PaymentPage, PaymentQuery, SeveralQuery } from './lists.model'

/** Spec 3, Endpoints, Transaction manager: the list. Its counts and export are not in the specification. */
export const listRoutes = ({ store, log }: Deps) =>
  new Elysia({ prefix: '/transactions', tags: ['Transactions'] })
    .get(
      '/',
      async ({ query, set }) => {
        const list = isBetween(query) ? listBetween : listPayments
        const answer = await store.snapshot((db) => list(db, query))
        if (query.count) set.headers[totalHeader] = String(answer.pageInfo.total)
        return answer
      },
      {
        query: PaymentQuery,
        response: { 200: response(PaymentPage) },
        detail: operation('listPayments', 'List payments, newest first by default', {
          400: 'A parameter is not valid, or a search or sort is combined with a filter in order of creation',
        }),
      },
    )
    .get('/several', ({ query }) => paymentsOf(store.read, query.ids), {
      query: SeveralQuery,
      response: { 200: response(t.Array(Payment)) },
      detail: operation('listPaymentsById', 'Get several payments by their ids, in their order', {
        description: 'At most 100: `ids=a&ids=b`, or `ids=a,b`. Unknown ids are left out.',
      }),
    })
    .get('/counts', () => store.snapshot(countsWithOldest), {
      response: { 200: response(t.Array(PaymentCount)) },
      detail: operation('countPayments', 'Count payments by type and status, each with the oldest'),
    })
    .get(
      '/export',
      ({ query }) =>
        csvResponse({ name: 'payments', columns: paymentColumns, chunks: allPayments(store.read, query), log }),
      {
        query: PaymentExportQuery,
        detail: operation('exportPayments', 'Export payments as CSV, newest first by default', {
          responses: csvAnswer(
            `${Object.keys(paymentColumns).join(',')}\r\n01900000-0000-7000-8000-000000000504,DEPOSIT,PENDING,1000,USD,,,01900000-0000-7000-8000-000000000401,Lakeside Payments,bayview-funding-1,,,2026-01-31T12:00:00.000Z,2026-01-31T12:00:00.000Z\r\n`,
          ),
        }),
      },
    )
