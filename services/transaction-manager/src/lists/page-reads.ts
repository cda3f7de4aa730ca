import {
  asc,
  count,
  type Db,
  desc,
  eq,
  gt,
  inArray,
  listParams,
  lt,
  or,
  param,
  type SQL,
  sql,
  variants,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { payments } from '../payments/payments.table'
import { participantsOfSearch } from './search'

export type Order = 'asc' | 'desc'

/** The orders in which a page can be read; other sorts are built from pages by `createdAt` (find-page.ts). */
export const walkedSorts = ['createdAt', 'updatedAt', 'amount'] as const
export type WalkedSort = (typeof walkedSorts)[number]

/** Ids are generated at `createdAt`. */
const sortColumns: Record<WalkedSort, AnyColumn[]> = {
  createdAt: [payments.id],
  updatedAt: [payments.updatedAt, payments.id],
  amount: [payments.amountKey, payments.id],
}

/** The number of values of the filters (listSize), and whether a currency is given. */
export interface Filters {
  readonly types: number
  readonly statuses: number
  readonly currency: boolean
}
type FilterForm = { types: number; statuses: number; currency: boolean }

/** A column for which no index is used: the other conditions decide what the statement scans. */
const unindexed = (column: AnyColumn) => sql`coalesce(${column}, '')`
const indexed = (column: AnyColumn) => sql`${column}`

/** The currency index is used only without type and status, which are more selective. */
const passes = ({ types, statuses, currency }: FilterForm, on: (column: AnyColumn) => SQL) => [
  types > 0 ? sql`${on(payments.type)} in ${listParams('type', types)}` : undefined,
  statuses > 0 ? sql`${on(payments.status)} in ${listParams('status', statuses)}` : undefined,
  currency ? sql`${(types > 0 ? unindexed : on)(payments.currency)} = ${param('currency')}` : undefined,
]
const all = (conditions: (SQL | undefined)[]) => {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length > 0 ? sql.join(given, sql` and `) : undefined
}

const id = { id: payments.id }

/**
 * Scans one index in order of creation: the payments of one sender, receiver, currency, or type and status; or all.
 * With `between`: only ids above `low` and below `high`.
 */
export const readRun = variants(
  ({ by, order, between = false, ...filters }: { by: RunBy; order: Order; between?: boolean } & FilterForm) =>
    (db) =>
      db
        .select(id)
        .from(payments)
        .where(all([...runs[by](), ...(between ? bounds : []), ...passes(filters, unindexed)]))
        .orderBy((order === 'asc' ? asc : desc)(payments.id))
        .limit(param('limit'))
        .offset(param('offset')),
)

/** The id in such a run `skip` places after its first one; none when fewer are left. */
export const endInRun = variants(
  ({ by, order }: { by: RunBy; order: Order }) =>
    (db) =>
      db
        .select(id)
        .from(payments)
        .where(all([...runs[by](), ...bounds]))
        .orderBy((order === 'asc' ? asc : desc)(payments.id))
        .limit(1)
        .offset(param('skip')),
)

/** The number of payments of such a run between `low` and `high`, counted in its index. */
export const countRun = variants(
  ({ by, ...filters }: { by: RunBy } & FilterForm) =>
    (db) =>
      db
        .select({ payments: count() })
        .from(payments)
        .where(all([...runs[by](), ...bounds, ...passes(filters, unindexed)])),
)
const bounds = [gt(payments.id, param('low')), lt(payments.id, param('high'))]
export type RunBy = keyof typeof runs
const runs = {
  all: () => [],
  from: () => [eq(payments.fromParticipantId, param('party'))],
  to: () => [eq(payments.toParticipantId, param('party'))],
  /** Between its own accounts: in both `from` and `to`. */
  own: () => [eq(payments.fromParticipantId, param('party')), eq(payments.fromParticipantId, payments.toParticipantId)],
  currency: () => [eq(payments.currency, param('runCurrency'))],
  group: () => [eq(payments.type, param('runType')), eq(payments.status, param('runStatus'))],
}

/** The maximum number of single payments that a search finds: one reference of each kind, a hash and an id. */
export const mostExact = 6

const isOfSearch = (db: Db, on: (column: AnyColumn) => SQL) =>
  or(
    inArray(on(payments.fromParticipantId), participantsOfSearch(db)),
    inArray(on(payments.toParticipantId), participantsOfSearch(db)),
    sql`${on(payments.id)} in ${listParams('exact', mostExact)}`,
  )

type PageForm = { sort: WalkedSort; order: Order; search: boolean } & FilterForm

/** Scans the order of the page for at most `reach` payments: may find too few. Best for many matches. */
export const readAlong = variants(({ sort, order, search, ...filters }: PageForm) => (db) => {
  const direction = order === 'asc' ? asc : desc
  const near = db
    .select({
      id: payments.id,
      type: payments.type,
      status: payments.status,
      ...(filters.currency ? { currency: payments.currency } : {}),
      ...(search ? { fromParticipantId: payments.fromParticipantId, toParticipantId: payments.toParticipantId } : {}),
    })
    .from(payments)
    .orderBy(...sortColumns[sort].map((column) => direction(column)))
    .limit(param('reach'))
    .as('payments')
  return db
    .select({ id: near.id })
    .from(near)
    .where(all([...passes(filters, unindexed), search ? isOfSearch(db, unindexed) : undefined]))
    .limit(param('limit'))
    .offset(param('offset'))
})

/** Looks up all payments that the search finds or that match the filters, and sorts the matches. */
export const readAndSort = variants(
  ({ sort, order, search, by, ...filters }: PageForm & { by: 'search' | 'filters' }) =>
    (db) => {
      const direction = order === 'asc' ? asc : desc
      const on = (isLookedUp: boolean) => (isLookedUp ? indexed : unindexed)
      return db
        .select(id)
        .from(payments)
        .where(
          all([...passes(filters, on(by === 'filters')), search ? isOfSearch(db, on(by === 'search')) : undefined]),
        )
        .orderBy(...sortColumns[sort].map((column) => direction(unindexed(column))))
        .limit(param('limit'))
        .offset(param('offset'))
    },
)
