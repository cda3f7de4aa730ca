import type { PaymentStatus, PaymentType } from '@bursar/contracts/transaction-manager'
import {
  and,
  anywhere,
  asc,
  count,
  type Db,
  desc,
  eq,
  getTableColumns,
  inArray,
  listParams,
  listSize,
  listValues,
  matches,
  param,
  variants,
} from '@bursar/store'
import type { PaymentRow } from './payments'
import type { PaymentQuery } from './payments.model'
import { bankPayments, payments } from './payments.table'

/** A page of the payments that a bank takes part in, and how many match in all. */
export async function listBankPayments(
  db: Db,
  custodianBankId: string,
  query: PaymentQuery,
): Promise<{ rows: PaymentRow[]; total: number }> {
  const { limit, offset, search, sortBy, sortDirection } = query
  const status = chosen(query.status, query['status[]'])
  const type = chosen(query.type, query['type[]'])
  const filters: Filters = { isSearch: search !== undefined, statuses: listSize(status), types: listSize(type) }
  const values = {
    custodianBankId,
    search: anywhere(search ?? ''),
    ...listValues('status', status),
    ...listValues('type', type),
  }
  const [counted] = await countOf(filters)(db).execute(values)
  const total = counted?.total ?? 0
  if (limit === 0 || offset >= total) return { rows: [], total }
  const rows = await pageOfPayments({ ...filters, sortBy, sortDirection })(db).execute({ ...values, limit, offset })
  return { rows, total }
}

/** The two ways of writing an array together; what is written twice counts once. */
const chosen = <W extends PaymentStatus | PaymentType>(plain: W[] = [], bracketed: W[] = []): W[] => [
  ...new Set([...plain, ...bracketed]),
]

type Filters = { isSearch: boolean; statuses: number; types: number }

const matching = ({ isSearch, statuses, types }: Filters) =>
  and(
    eq(bankPayments.custodianBankId, param('custodianBankId')),
    statuses > 0 ? inArray(bankPayments.status, listParams('status', statuses)) : undefined,
    types > 0 ? inArray(bankPayments.type, listParams('type', types)) : undefined,
    isSearch ? matches(payments.searchText, param('search')) : undefined,
  )

const countOf = variants(({ ...filters }: Filters) => (db) => {
  const counted = db.select({ total: count() }).from(bankPayments).$dynamic()
  return (filters.isSearch ? counted.innerJoin(payments, eq(payments.id, bankPayments.paymentId)) : counted).where(
    matching(filters),
  )
})

const sorts = {
  createdAt: bankPayments.createdAt,
  updatedAt: bankPayments.updatedAt,
  amount: bankPayments.amountOrder,
  status: bankPayments.status,
  type: bankPayments.type,
}

type PageForm = Filters & Pick<PaymentQuery, 'sortBy' | 'sortDirection'>

const pageOfPayments = variants(({ sortBy, sortDirection, ...filters }: PageForm) => {
  const direction = sortDirection === 'ASC' ? asc : desc
  return (db) =>
    db
      .select(getTableColumns(payments))
      .from(bankPayments)
      .innerJoin(payments, eq(payments.id, bankPayments.paymentId))
      .where(matching(filters))
      .orderBy(direction(sorts[sortBy]), direction(bankPayments.paymentId))
      .limit(param('limit'))
      .offset(param('offset'))
})
