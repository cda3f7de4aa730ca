import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { listPayments } from './list-payments'
import { PaymentPage, PaymentQuery } from './lists.model'

/** Spec 3, Endpoints, Transaction manager: the list. */
export const listRoutes = ({ store }: TransactionManagerDeps) =>
  new Elysia({ tags: ['Transactions'] }).get(
    '/transactions',
    ({ query }) => store.snapshot((db) => listPayments(db, query)),
    {
      query: PaymentQuery,
      response: { 200: response(PaymentPage) },
      detail: { operationId: 'listPayments', summary: 'List payments, the newest first unless sorted otherwise' },
    },
  )
