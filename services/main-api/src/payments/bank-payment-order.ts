import { and, asc, desc, eq, inArray, listParams, matches, param } from '@bursar/store'
import type { PaymentQuery } from './payments.model'
import { bankPayments, payments } from './payments.table'

/** The number of statuses and types in the filter (listSize); 0 for any. */
export type Filters = { statuses: number; types: number }
export type Order = Pick<PaymentQuery, 'sortBy' | 'sortDirection'>

/** The payments of a bank that match the filters; a search requires a statement that joins the payments. */
export const matching = ({ statuses, types }: Filters, isSearch = false) =>
  and(
    eq(bankPayments.custodianBankId, param('custodianBankId')),
    statuses > 0 ? inArray(bankPayments.status, listParams('status', statuses)) : undefined,
    types > 0 ? inArray(bankPayments.type, listParams('type', types)) : undefined,
    isSearch ? matches(payments.searchText, param('search')) : undefined,
  )

/** The column of each sort. */
export const sorts = {
  createdAt: bankPayments.createdAt,
  updatedAt: bankPayments.updatedAt,
  amount: bankPayments.amountOrder,
  status: bankPayments.status,
  type: bankPayments.type,
}

/** Ties are in order of creation, in the direction of the sort. */
export function inOrder({ sortBy, sortDirection }: Order) {
  const direction = sortDirection === 'ASC' ? asc : desc
  return [direction(sorts[sortBy]), direction(bankPayments.paymentId)]
}
