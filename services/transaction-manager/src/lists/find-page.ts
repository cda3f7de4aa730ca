import { type Db, listSize, listValues, type Order } from '@bursar/store'
import { type PaymentStatus, type PaymentType, types } from '../payments/states'
import { type Group, sumOf } from './count-payments'
import {
  type Filters,
  mostExact,
  pageOfRuns,
  type Run,
  type RunBy,
  readAlong,
  readAndSort,
  type WalkedSort,
} from './page-reads'
import { mostLookedUp, type Search } from './search'

export const sorts = ['createdAt', 'updatedAt', 'amount', 'status', 'type', 'currency'] as const
export type Sort = (typeof sorts)[number]

/** The requested page. */
export interface Wanted {
  types: readonly PaymentType[]
  statuses: readonly PaymentStatus[]
  currency: string | null
  search: Search | null
  /** The counts of matching payments, by type, status and currency. */
  groups: readonly Group[]
  /** The counts of all payments, by type, status and currency. */
  everywhere: readonly Group[]
  /** The number of payments that the search finds, regardless of filters. */
  searched: number
  sort: Sort
  order: Order
  limit: number
  offset: number
  bounds?: Bounds | undefined
}

// Why this is no `defineSortedList`: filters of type, status and search go with each of six sorts, any page may be asked
// for, and no index has them all. Windows over 1,000,000 rows (measured on the main API's payments) take 56 ms to count a
// filter and 67 ms to pass by 900,000, where a page may take 20. So a page is read along an index, or from the few payments that are wanted.

/** The cost parameters that choose how a page is read; tests pass others. */
export interface Bounds {
  /** The cost of reading a payment while scanning an order, in units of one payment skipped in an index. */
  read: number
  /** The cost of looking up and sorting one. */
  sorted: number
  /**
   * The maximum number of ids read from several indexes and merged: by types and statuses, and by a search's
   * participants.
   */
  merged: number
  mergedOfSearch: number
}
const usualBounds: Bounds = { read: 4, sorted: 4, merged: 4000, mergedOfSearch: 50_000 }

/** The ids of a page, in its order. */
export async function findPage(db: Db, wanted: Wanted): Promise<string[]> {
  const { sort, limit, offset, groups } = wanted
  if (limit === 0 || offset >= sumOf(groups)) return []
  if (sort === 'status' || sort === 'type' || sort === 'currency') return await findByValue(db, wanted, sort)
  const runs = sort === 'createdAt' ? runsOf(wanted) : null
  if (!runs) return await findBySort(db, wanted, sort)
  const exact = wanted.search?.exact.filter((row) => isWanted(wanted, row)) ?? []
  return await pageOfRuns(db, runs, wanted, idsOf(exact))
}

/** Sorted by a value that many payments share: the page lies within one value, or spans several. */
async function findByValue(db: Db, wanted: Wanted, name: 'status' | 'type' | 'currency'): Promise<string[]> {
  const values = [...new Set(wanted.groups.map((group) => group[name]))].sort()
  if (wanted.order === 'desc') values.reverse()
  const found: string[] = []
  let { offset } = wanted
  for (const value of values) {
    const limit = wanted.limit - found.length
    if (limit === 0) break
    const groups = wanted.groups.filter((group) => group[name] === value)
    const narrowed = { ...wanted, ...narrowing[name](value), groups, sort: 'createdAt' as const, limit, offset }
    found.push(...(await findPage(db, narrowed)))
    offset = Math.max(0, offset - sumOf(groups))
  }
  return found
}
const narrowing = {
  status: (value: string): Partial<Wanted> => ({ statuses: [value as PaymentStatus] }),
  type: (value: string): Partial<Wanted> => ({ types: [value as PaymentType] }),
  currency: (value: string): Partial<Wanted> => ({ currency: value }),
}

/** The index ranges that together contain the matching payments in order of creation; null when there are too many. */
function runsOf(wanted: Wanted): Run[] | null {
  const { types, statuses, currency, search, groups } = wanted
  const filters = filtersOf(wanted)
  const run = (by: RunBy, own: Record<string, string>, rest: Filters = filters): Run => ({
    form: { by, ...rest },
    values: { ...valuesOf(wanted), ...own },
  })
  if (search) {
    if (search.participants.length > mostLookedUp) return null
    const runs = search.participants.flatMap((party) => [run('from', { party }), run('to', { party })])
    return isCheap(wanted, runs) ? runs : null
  }
  if (currency !== null) return [run('currency', { runCurrency: currency }, { ...filters, currency: false })]
  if (types.length === 0 && statuses.length === 0) return [run('all', {})]
  const pairs = new Map(groups.map(({ type, status }) => [`${type} ${status}`, { runType: type, runStatus: status }]))
  const runs = [...pairs.values()].map((pair) => run('group', pair, noFilters))
  return isCheap(wanted, runs) ? runs : null
}

/** Each run is read up to the end of the page. */
const isCheap = ({ offset, limit, search, bounds = usualBounds }: Wanted, runs: readonly Run[]): boolean =>
  runs.length === 1 || runs.length * (offset + limit) <= (search ? bounds.mergedOfSearch : bounds.merged)

/** Whether a payment, or a group of them, matches the filters. */
export const isWanted = (
  { types, statuses, currency }: Pick<Wanted, 'types' | 'statuses' | 'currency'>,
  row: Omit<Group, 'payments'>,
): boolean =>
  (types.length === 0 || types.includes(row.type)) &&
  (statuses.length === 0 || statuses.includes(row.status)) &&
  (currency === null || currency === row.currency)

/** In the order of a sort: scanned as far as the page should reach, or looked up and sorted. */
async function findBySort(db: Db, wanted: Wanted, sort: WalkedSort): Promise<string[]> {
  const { order, search, limit, offset, everywhere, searched, bounds = usualBounds } = wanted
  const total = sumOf(wanted.groups)
  const filtered = sumOf(everywhere.filter((group) => isWanted(wanted, group)))
  const form = { sort, order, search: search !== null, ...filtersOf(wanted) }
  const values = { ...valuesOf(wanted), limit, offset }
  const lookedUp = Math.min(filtered, searched)
  // With a search, or without an index of type and status, each payment on the way has to be read.
  const passed = search || sort === 'createdAt' ? bounds.read : 1
  // If matches are spread evenly, half of the first reach is enough.
  let reach = Math.ceil((2 * (offset + limit) * sumOf(everywhere)) / total) + 100
  for (; reach * passed < lookedUp * bounds.sorted; reach *= 8) {
    const near = await readAlong(form)(db).execute({ ...values, reach })
    if (near.length === Math.min(limit, total - offset)) return idsOf(near)
  }
  if (search && searched <= filtered) return idsOf(await readAndSort({ ...form, by: 'search' })(db).execute(values))
  // The index of types and statuses begins with the types.
  const typed = wanted.types.length === 0 && wanted.statuses.length > 0 ? { ...wanted, types } : wanted
  const rows = await readAndSort({ ...form, ...filtersOf(typed), by: 'filters' })(db).execute({
    ...values,
    ...valuesOf(typed),
  })
  return idsOf(rows)
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export const noFilters: Filters = { types: 0, statuses: 0, currency: false }

export const filtersOf = ({ types, statuses, currency }: Pick<Wanted, 'types' | 'statuses' | 'currency'>): Filters => ({
  types: listSize(types),
  statuses: listSize(statuses),
  currency: currency !== null,
})

const valuesOf = ({ types, statuses, currency, search }: Wanted) => ({
  ...listValues('type', types),
  ...listValues('status', statuses),
  currency,
  pattern: search?.pattern,
  exact: Array.from({ length: mostExact }, (_, i) => search?.exact[i]?.id ?? ''),
})
