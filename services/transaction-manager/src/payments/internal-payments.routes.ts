import { t } from '@bursar/contracts/schema'
import { paymentChanges } from '@bursar/contracts/transaction-manager'
import { queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { paymentRecords, toPaymentRecord } from './payments'

/** The last version that the caller has. */
const After = t.Object({ after: queryInteger({ minimum: 0, default: 0 }) })

/** Called by other services only (contracts/transaction-manager.ts). */
export const internalPaymentRoutes = ({ store, identity }: TransactionManagerDeps) =>
  new Elysia({ prefix: '/internal/payments', detail: { hide: true } }).get(
    '/changes',
    async ({ request, query }) => {
      await requireService(identity, request)
      return await paymentRecords.pageAfter(store.read, query.after, toPaymentRecord)
    },
    { query: After, response: { 200: response(paymentChanges.answer) } },
  )
