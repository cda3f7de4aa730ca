import { and, asc, desc, eq, inArray, listParams, matches, param } from '@bursar/store'
import type { PaymentQuery } from './payments.model'
import { bankPayments, payments } from './payments.table'

/** How many statuses and types a list is narrowed to (listSize); 0 for any. */
export type Filters = { statuses: number; types: number }
export type Order = Pick<PaymentQuery, 'sortBy' | 'sortDirection'>

/** The payments of a bank that pass the filters; with a search, of a statement that joins the payments. */
export const matching = ({ statuses, types }: Filters, isSearch = false) =>
  and(
    eq(bankPayments.custodianBankId, param('custodianBankId')),
    statuses > 0 ? inArray(bankPayments.status, listParams('status', statuses)) : undefined,
    types > 0 ? inArray(bankPayments.type, listParams('type', types)) : undefined,
    isSearch ? matches(payments.searchText, param('search')) : undefined,
  )

/** What each order sorts by. */
export const sorts = {
  createdAt: bankPayments.createdAt,
  updatedAt: bankPayments.updatedAt,
  amount: bankPayments.amountOrder,
  status: bankPayments.status,
  type: bankPayments.type,
}

/** Equal values in the order of their creation, or against it. */
export function inOrder({ sortBy, sortDirection }: Order) {
  const direction = sortDirection === 'ASC' ? asc : desc
  return [direction(sorts[sortBy]), direction(bankPayments.paymentId)]
}
