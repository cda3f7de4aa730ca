import { type Asked, and, type Db, defineList, eq, param, type SQL, sql } from '@bursar/store'
import { type TransactionRecord, transactionRows } from '../movements/read-transactions'
import { type Status, statuses } from '../movements/states'
import { transactions } from '../movements/transactions.table'
import { openStatuses } from './counts'
import { conditionsOf, type Filter, filtersOf, isSparse, type TransactionFilters, valuesOf } from './list-filters'

/** The variant of a statement of the list. */
export type ListForm = { filters: readonly Filter[]; status: Status | 'any' }

export const askedOf = (query: TransactionFilters): Asked<ListForm> => ({
  form: { filters: filtersOf(query), status: query.status ?? 'any' },
  ...valuesOf(query),
})

/** A literal, so that SQLite recognizes the partial index over open transactions. */
function hasStatus(status: Status | 'any'): SQL | undefined {
  const wanted = statuses.find((known) => known === status)
  return wanted && eq(transactions.status, sql.raw(`'${wanted}'`))
}

const isOpen = (status: Status | 'any'): boolean => openStatuses.some((open) => open === status)

/** The conditions of the filters, besides the time and the place in the list. */
export const passes = (db: Db, { filters, status }: ListForm) => and(hasStatus(status), ...conditionsOf(db, filters))

const ofAccount = eq(transactions.accountId, param('accountId'))
const isOfAccount = ({ filters }: ListForm): boolean => filters.includes('accountId')

/** The transactions that match the filters, by age. */
const byAge = {
  id: transactions.id,
  read: (asked: Asked<ListForm>) => asked,
  where: (form: ListForm, db: Db) => passes(db, form),
  isSparse: (form: ListForm) =>
    isSparse(form.filters) || (form.status !== 'any' && (isOfAccount(form) || !isOpen(form.status))),
  along: (form: ListForm) => {
    if (isOfAccount(form)) return ofAccount
    // The index of open transactions is small.
    return isOpen(form.status) ? hasStatus(form.status) : undefined
  },
  skipsAlong: ({ status, filters }: ListForm) => status === 'any' && filters.every((name) => name === 'accountId'),
}
export const transactionList = defineList({
  ...byAge,
  rows: transactionRows,
  to: (row): TransactionRecord => row,
  countsAll: true,
})
/** Their ids alone: skipped rows cost less. */
export const transactionIds = defineList({
  ...byAge,
  rows: (db) => db.select({ id: transactions.id }).from(transactions),
  to: ({ id }) => id,
})
