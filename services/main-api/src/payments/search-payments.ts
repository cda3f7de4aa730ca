import {
  and,
  asc,
  type ChunkPlace,
  type Db,
  eq,
  gt,
  inArray,
  listParams,
  lte,
  matches,
  param,
  variants,
} from '@bursar/store'
import { inTurns } from './in-turns'
import type { PaymentQuery } from './payments.model'
import { bankPayments, payments } from './payments.table'

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

/** Up to this many matches their ids are collected and sorted; with more, a scan of the order soon fills a page. */
export const mostKept = 2000

interface Wanted {
  filters: Filters
  /** With the bank, and the pattern of the text as `search`. */
  values: Record<string, unknown>
  order: Order
}

/** The payments that have a text: how many, and where they are few, all their ids in the order that is wanted. */
export async function findText(db: Db, { filters, values, order }: Wanted): Promise<{ total: number; ids: string[] }> {
  const found: { id: string; key: string | number }[] = []
  let total = 0
  const read = ({ after, limit }: ChunkPlace<string>) => idsAfter(filters)(db).execute({ ...values, after, limit })
  let after = ''
  for await (const ids of inTurns(read, '', ({ id }) => id)) {
    const last = ids.at(-1)?.id ?? after
    const range = { ...values, after, last }
    const rows = await withText({ ...filters, sortBy: order.sortBy })(db).execute(range)
    after = last
    total += rows.length
    if (total <= mostKept)
      for (const { id, key } of rows) found.push({ id, key: key instanceof Date ? key.getTime() : key })
  }
  const sign = order.sortDirection === 'ASC' ? 1 : -1
  found.sort((a, b) => sign * (compare(a.key, b.key) || compare(a.id, b.id)))
  return { total, ids: found.map(({ id }) => id) }
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

const idsAfter = variants(
  (filters: Filters) => (db) =>
    db
      .select({ id: bankPayments.paymentId })
      .from(bankPayments)
      .where(and(passing(filters), gt(bankPayments.paymentId, param('after'))))
      .orderBy(asc(bankPayments.paymentId))
      .limit(param('limit')),
)

const withText = variants(
  ({ sortBy, ...filters }: Filters & Pick<Order, 'sortBy'>) =>
    (db) =>
      db
        .select({ id: bankPayments.paymentId, key: sorts[sortBy] })
        .from(bankPayments)
        .innerJoin(payments, eq(payments.id, bankPayments.paymentId))
        .where(
          and(
            passing(filters),
            gt(bankPayments.paymentId, param('after')),
            lte(bankPayments.paymentId, param('last')),
            matches(payments.searchText, param('search')),
          ),
        ),
)
