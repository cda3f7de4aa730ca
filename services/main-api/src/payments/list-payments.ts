import type { PaymentStatus, PaymentType } from '@bursar/contracts/transaction-manager'
import {
  and,
  asc,
  count,
  countWindows,
  type Db,
  eq,
  gt,
  listSize,
  listValues,
  lte,
  param,
  prepared,
  variants,
} from '@bursar/store'
import { type Filters, inOrder, matching, type Order } from './bank-payment-order'
import { pageInParts } from './page-in-parts'
import { type PaymentRow, paymentsWithIds } from './payments'
import type { PaymentQuery } from './payments.model'
import { bankPayments } from './payments.table'
import { findText, mostKept } from './search-payments'

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
  const values = { custodianBankId, ...listValues('status', status), ...listValues('type', type) }
  const order: Order = { sortBy, sortDirection }
  const found = search === undefined ? null : await findText(db, { filters, values, search, order })
  const total = found?.total ?? (await countMatching(db, filters, values))
  if (limit === 0 || offset >= total) return { rows: [], total }
  if (found && total <= mostKept) {
    return { rows: await paymentsWithIds(db, found.ids.slice(offset, offset + limit)), total }
  }
  const asked = { ...values, search: found?.pattern }
  const isDense = found === null && isAlongOrder(filters, sortBy)
  const ids = isDense
    ? await pageOfIds({ ...filters, ...order })(db).execute({ ...asked, limit, offset })
    : await pageInParts(db, { ...filters, ...order, isSearch: found !== null }, asked, { limit, offset })
  return {
    rows: await paymentsWithIds(
      db,
      ids.map(({ id }) => id),
    ),
    total,
  }
}

/** Whether the matches are contiguous in the index of the order. */
const isAlongOrder = ({ statuses, types }: Filters, sortBy: Order['sortBy']): boolean =>
  (statuses === 0 || sortBy === 'status') && (types === 0 || sortBy === 'type')

/** Merges both notations of an array, without duplicates. */
const chosen = <W extends PaymentStatus | PaymentType>(plain: W[] = [], bracketed: W[] = []): W[] => [
  ...new Set([...plain, ...bracketed]),
]

/** In parts: a bank may have a million payments, and other requests are answered in between. */
const countMatching = (db: Db, filters: Filters, values: Record<string, unknown>): Promise<number> =>
  countWindows({
    order: 'asc',
    end: async (place) => (await endOfPart(db).execute({ ...values, ...place }))[0]?.id,
    count: async (place) => (await countOf(filters)(db).execute({ ...values, ...place }))[0]?.total ?? 0,
  })

const { paymentId } = bankPayments
const countOf = variants(
  (filters: Filters) => (db) =>
    db
      .select({ total: count() })
      .from(bankPayments)
      .where(and(matching(filters), gt(paymentId, param('after')), lte(paymentId, param('until')))),
)
/** The id `skip` places after the next one among a bank's payments. */
const endOfPart = prepared((db) =>
  db
    .select({ id: paymentId })
    .from(bankPayments)
    .where(and(eq(bankPayments.custodianBankId, param('custodianBankId')), gt(paymentId, param('after'))))
    .orderBy(asc(paymentId))
    .limit(1)
    .offset(param('skip')),
)

/** Scans the index of the order up to the end of the page. */
const pageOfIds = variants(
  ({ sortBy, sortDirection, ...filters }: Filters & Order) =>
    (db) =>
      db
        .select({ id: paymentId })
        .from(bankPayments)
        .where(matching(filters))
        .orderBy(...inOrder({ sortBy, sortDirection }))
        .limit(param('limit'))
        .offset(param('offset')),
)
