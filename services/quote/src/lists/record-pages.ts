import { and, anywhere, type Db, defineSortedList, isNull, type params, type SQL } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { type Counted, total } from '../counters/counters'
import { refuseDeepPage } from './deep-pages'

/** A table that keeps its deleted records. */
type RecordTable = Parameters<typeof params>[0] & { id: AnyColumn; deletedAt: AnyColumn }

interface PageRequest<S extends string> {
  limit: number
  offset: number
  sortBy: S
  sortOrder: 'asc' | 'desc'
  /** Part of the name; it becomes a pattern. */
  name?: string
}

/** The options of a table's list. */
interface Listing<S extends string, F extends string> {
  /** Counts the records that are not deleted. */
  counter: Counted
  sorts: Record<S, AnyColumn>
  /** By query key; each compares with the parameter of the same name. */
  filters: Record<F, SQL>
}

/**
 * Reads pages of a table's records, without deleted ones, and the total of matches. Equal records are sorted by id,
 * which is their order of creation. An unfiltered total comes from its counter.
 */
export function recordPages<T extends RecordTable, S extends string, F extends string>(
  table: T,
  { counter, sorts, filters }: Listing<S, F>,
) {
  const filterNames = Object.keys(filters) as F[]
  type Query = PageRequest<S> & { [name in F]?: unknown }
  const namesOf = (query: Query) => filterNames.filter((name) => query[name] !== undefined)
  const list = defineSortedList({
    id: table.id,
    rows: (db) => db.select().from(table as RecordTable),
    // Drizzle's type of the rows is lost with the table's own.
    to: (row): T['$inferSelect'] => row,
    read: (query: Query) => ({
      form: { names: namesOf(query), sortBy: query.sortBy },
      values: { ...query, name: anywhere(query.name ?? '') },
    }),
    where: ({ names }) => and(isNull(table.deletedAt), ...names.map((name) => filters[name])),
    sort: ({ sortBy }) => sorts[sortBy],
    countsAll: true,
  })

  return async function readPage(db: Db, query: Query): Promise<{ rows: T['$inferSelect'][]; total: number }> {
    const matching = namesOf(query).length === 0 ? await total(db, counter) : await list.count(db, query)
    refuseDeepPage(query, matching)
    const { sortOrder: order, limit, offset } = query
    return { rows: await list.page(db, query, { order, limit, offset }), total: matching }
  }
}
