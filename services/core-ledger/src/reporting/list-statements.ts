import {
  and,
  count,
  type Db,
  eq,
  gte,
  keyset,
  lte,
  type Order,
  param,
  prepared,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { AnyColumn as Column } from '@bursar/store/schema'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import { transactionRecord } from '../movements/read-transactions'
import { type Status, statuses } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { conditionsOf, type Filter, idBounds } from './list-filters'

/** What a statement of the list is made from. */
export type ListForm = {
  readonly order: Order
  readonly filters: readonly Filter[]
  readonly status: Status | 'any'
  /** Whether it ends with the id `until`. */
  readonly isBounded?: boolean
}

/** What the filters ask for, besides the place in the list. */
export function passes(db: Db, { filters, status }: Pick<ListForm, 'filters' | 'status'>): (SQL | undefined)[] {
  const wanted = statuses.find((known) => known === status)
  // As a literal: only then is the index over what is open seen to cover it.
  return [wanted && eq(transactions.status, sql.raw(`'${wanted}'`)), ...conditionsOf(db, filters)]
}

/** The condition that ends a window. */
export const untilOf = ({ order, isBounded }: ListForm, id: Column = transactions.id) =>
  isBounded ? (order === 'asc' ? lte : gte)(id, param('until')) : undefined

/** One page. Parameters: `after`, `limit`, `offset`, `until` where it is bounded, and the filters' values. */
export const pageOf = variants((form: ListForm) => {
  const page = keyset(transactions.id, form.order)
  return (db) =>
    db
      .select(transactionRecord)
      .from(transactions)
      .innerJoin(assets, eq(assets.id, transactions.assetId))
      .where(and(page.beyond, untilOf(form), ...passes(db, form)))
      .orderBy(page.by)
      .limit(param('limit'))
      .offset(param('offset'))
})

/** The ids of a customer's accounts. */
export const accountsOf = prepared((db) =>
  db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.customerId, param('customerId')))
    .limit(param('limit')),
)

const ofAccount = eq(transactions.accountId, param('accountId'))

/** How many there are behind `after`, up to `until`. */
export const countOf = variants(
  (form: ListForm) => (db) =>
    db
      .select({ count: count() })
      .from(transactions)
      .where(and(keyset(transactions.id, form.order).beyond, untilOf(form), ...passes(db, form))),
)

/** The id that comes `skip` ids behind the next one, of the account and within the time that are asked for. */
export const windowEnd = variants(({ order, filters }: Pick<ListForm, 'order' | 'filters'>) => {
  const page = keyset(transactions.id, order)
  return (db) =>
    db
      .select({ id: transactions.id })
      .from(transactions)
      .where(and(page.beyond, ...idBounds(filters), filters.includes('accountId') ? ofAccount : undefined))
      .orderBy(page.by)
      .limit(1)
      .offset(param('skip'))
})
