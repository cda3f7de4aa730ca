import { paymentChanges } from '@bursar/contracts/transaction-manager'
import { ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { TransactionManagerDeps } from '../deps'
import { paymentRecords, toPaymentRecord } from './payments'

/** Called by other services only (contracts/transaction-manager.ts). */
export const internalPaymentRoutes = ({ store, identity }: TransactionManagerDeps) =>
  internalRoutes(identity, '/internal/payments').get(
    '/changes',
    ({ query }) => paymentRecords.pageAfter(store, query.after, toPaymentRecord),
    { query: ChangesQuery, response: { 200: response(paymentChanges.answer) } },
  )
