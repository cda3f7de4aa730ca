import {
  asc,
  type Db,
  defineList,
  desc,
  eq,
  inArray,
  listParams,
  type Order,
  or,
  param,
  type SQL,
  sql,
  unindexed,
  variants,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { payments } from '../payments/payments.table'
import { participantsOfSearch } from './search'

/** What a page can be read in the order of; all other sorts are made of pages by `createdAt` (find-page.ts). */
const walkedSorts = ['createdAt', 'updatedAt', 'amount'] as const
export type WalkedSort = (typeof walkedSorts)[number]

/** Ids are generated at `createdAt`. */
const sortColumns: Record<WalkedSort, AnyColumn[]> = {
  createdAt: [payments.id],
  updatedAt: [payments.updatedAt, payments.id],
  amount: [payments.amountKey, payments.id],
}

/** The number of values of the filters (listSize), and whether a currency is given. */
export type Filters = { types: number; statuses: number; currency: boolean }

const indexed = (column: AnyColumn) => sql`${column}`

/** The currency index is used only without type and status, which are more selective. */
const passes = ({ types, statuses, currency }: Filters, on: (column: AnyColumn) => SQL) => [
  types > 0 ? sql`${on(payments.type)} in ${listParams('type', types)}` : undefined,
  statuses > 0 ? sql`${on(payments.status)} in ${listParams('status', statuses)}` : undefined,
  currency ? sql`${(types > 0 ? unindexed : on)(payments.currency)} = ${param('currency')}` : undefined,
]
const all = (conditions: (SQL | undefined)[]) => {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length > 0 ? sql.join(given, sql` and `) : undefined
}

const id = { id: payments.id }

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

/** A run along one index, and what it is narrowed to: its filters, and a time of its ids. */
export interface Run {
  form: Filters & { by: RunBy }
  values: Record<string, unknown>
  from?: Date | undefined
  to?: Date | undefined
}

const inRun = ({ by, ...filters }: Run['form']) => all([...runs[by](), ...passes(filters, unindexed)])

/** The ids of a run, in the order of creation. Of a participant, or a currency, a filter may pass few. */
export const runList = defineList({
  id: payments.id,
  rows: (db) => db.select(id).from(payments),
  to: (row) => row.id,
  read: ({ form, values, ...time }: Run) => ({ form, values, time }),
  where: inRun,
  isSparse: ({ types, statuses, currency }) => types + statuses > 0 || currency,
  along: ({ by }) => all(runs[by]()),
  countsAll: true,
})

/** A page of the ids of several runs, and of others, each once, in the order of creation. */
export async function pageOfRuns(
  db: Db,
  runs: readonly Run[],
  { order, after, limit, offset }: { order: Order; after?: string | undefined; limit: number; offset: number },
  others: readonly string[] = [],
): Promise<string[]> {
  const [only] = runs
  if (only && runs.length === 1 && others.length === 0)
    return await runList.page(db, only, { order, after, limit, offset })
  const found = new Set(others)
  for (const run of runs) {
    for (const id of await runList.page(db, run, { order, after, limit: offset + limit })) found.add(id)
  }
  const sorted = [...found].sort()
  if (order === 'desc') sorted.reverse()
  return sorted.slice(offset, offset + limit)
}

/** How many single payments a search finds at most: one reference of each kind, a hash and an id. */
export const mostExact = 6

const isOfSearch = (db: Db, on: (column: AnyColumn) => SQL) =>
  or(
    inArray(on(payments.fromParticipantId), participantsOfSearch(db)),
    inArray(on(payments.toParticipantId), participantsOfSearch(db)),
    sql`${on(payments.id)} in ${listParams('exact', mostExact)}`,
  )

type PageForm = { sort: WalkedSort; order: Order; search: boolean } & Filters

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
