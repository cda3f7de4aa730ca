import type { PaymentStatus, PaymentType } from '@bursar/contracts/transaction-manager'
import {
  and,
  anywhere,
  type Db,
  defineSortedList,
  eq,
  exists,
  listSize,
  listValues,
  matches,
  param,
} from '@bursar/store'
import { type PaymentRow, paymentsWithIds } from './payments'
import type { PaymentQuery } from './payments.model'
import { bankPayments, payments } from './payments.table'
import { type Filters, findText, isOfBank, mostKept, type Order, passing, sorts } from './search-payments'

/** A page of the payments that involve a bank, and the total of matches. `db` is a snapshot: they agree. */
export async function listBankPayments(
  db: Db,
  custodianBankId: string,
  query: PaymentQuery,
): Promise<{ rows: PaymentRow[]; total: number }> {
  const { limit, offset, search, sortBy, sortDirection } = query
  const status = chosen(query.status, query['status[]'])
  const type = chosen(query.type, query['type[]'])
  const filters: Filters = { statuses: listSize(status), types: listSize(type) }
  const given = { custodianBankId, search: anywhere(search ?? '') }
  const values = { ...given, ...listValues('status', status), ...listValues('type', type) }
  const asked = { form: { ...filters, sortBy, isSearch: search !== undefined }, values }
  const found = asked.form.isSearch ? await findText(db, { filters, values, order: { sortBy, sortDirection } }) : null
  const total = found?.total ?? (await bankPaymentIds.count(db, asked))
  if (limit === 0 || offset >= total) return { rows: [], total }
  const order = sortDirection === 'ASC' ? 'asc' : 'desc'
  const ids =
    found && total <= mostKept
      ? found.ids.slice(offset, offset + limit)
      : await bankPaymentIds.page(db, asked, { order, limit, offset })
  return { rows: await paymentsWithIds(db, ids), total }
}

/** The two ways of writing an array together; what is written twice counts once. */
const chosen = <W extends PaymentStatus | PaymentType>(plain: W[] = [], bracketed: W[] = []): W[] => [
  ...new Set([...plain, ...bracketed]),
]

const { paymentId } = bankPayments

interface Asked {
  form: Filters & Pick<Order, 'sortBy'> & { isSearch: boolean }
  values: Record<string, unknown>
}

const bankPaymentIds = defineSortedList({
  id: paymentId,
  rows: (db) => db.select({ id: paymentId }).from(bankPayments),
  to: ({ id }) => id,
  read: (asked: Asked) => asked,
  where: (form, db) => and(passing(form), form.isSearch ? hasText(db) : undefined),
  sort: ({ sortBy }) => sorts[sortBy],
  along: () => isOfBank,
  // Those that pass stand together in the index of the order, or they may be few, and come last.
  isSparse: ({ statuses, types, sortBy, isSearch }) =>
    isSearch || (statuses > 0 && sortBy !== 'status') || (types > 0 && sortBy !== 'type'),
  countsAll: true,
})

const hasText = (db: Db) =>
  exists(
    db
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.id, paymentId), matches(payments.searchText, param('search')))),
  )
