import { and, eq, inArray, listParams, param } from '@bursar/store'
import type { PaymentQuery } from './payments.model'
import { bankPayments } from './payments.table'

/** The number of statuses and types in the filter (listSize); 0 for any. */
export type Filters = { statuses: number; types: number }
export type Order = Pick<PaymentQuery, 'sortBy' | 'sortDirection'>

export const isOfBank = eq(bankPayments.custodianBankId, param('custodianBankId'))

/** The payments of a bank that pass the filters. */
export const passing = ({ statuses, types }: Filters) =>
  and(
    isOfBank,
    statuses > 0 ? inArray(bankPayments.status, listParams('status', statuses)) : undefined,
    types > 0 ? inArray(bankPayments.type, listParams('type', types)) : undefined,
  )

/** What each order sorts by; equal values are in the order of their creation, or against it. */
export const sorts = {
  createdAt: bankPayments.createdAt,
  updatedAt: bankPayments.updatedAt,
  amount: bankPayments.amountOrder,
  status: bankPayments.status,
  type: bankPayments.type,
}
