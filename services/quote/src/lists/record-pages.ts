import { page } from '@bursar/http'
import {
  and,
  anywhere,
  type Db,
  defineSortedList,
  inArray,
  isNull,
  matches,
  param,
  type params,
  type SQL,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { type Counted, total } from '../counters/counters'
import { refuseDeepPage } from './deep-pages'

/** A table that keeps its deleted records. */
type RecordTable = Parameters<typeof params>[0] & Record<'id' | 'searchName' | 'deletedAt', AnyColumn>

interface PageRequest<S extends string> {
  limit: number
  offset: number
  sortBy: S
  sortOrder: 'asc' | 'desc'
  /** Part of the name; it becomes a pattern. */
  name?: string
}

type Form<S extends string, F extends string> = { names: (F | 'name')[]; walk: Walk; sortBy: S }

/** The options of a table's list. */
interface Listing<R, P, S extends string, F extends string> {
  /** Counts the records that are not deleted. */
  counter: Counted
  rows: Parameters<typeof defineSortedList<PageRequest<S>, Form<S, F>, R, R>>[0]['rows']
  sorts: Record<S, AnyColumn>
  /** Besides the name: by query key; each compares with the parameter of the same name. */
  filters: Record<F, SQL>
  /** The rows of a page as the API returns them. */
  present: (db: Db, rows: R[]) => Promise<P[]>
}

/**
 * Gives pages of a table's records, without deleted ones, with the total of matches. Equal records are sorted by id,
 * which is their order of creation. An unfiltered total comes from its counter.
 */
export function recordPages<R, P, S extends string, F extends string>(
  table: RecordTable,
  { counter, rows, sorts, filters, present }: Listing<R, P, S, F>,
) {
  const byName = matches(table.searchName, param('name'))
  const conditions = new Map<F | 'name', SQL>([['name', byName], ...(Object.entries(filters) as [F, SQL][])])
  type Query = PageRequest<S> & { [name in F]?: unknown }
  const namesOf = (query: Query) => [...conditions.keys()].filter((name) => query[name] !== undefined)
  const isLive = isNull(table.deletedAt)
  const idsByName = (db: Db) => db.select({ id: table.id }).from(table).where(and(isLive, byName))
  const list = defineSortedList({
    id: table.id,
    rows,
    to: (row) => row,
    read: ({ walk, ...query }: Query & { walk: Walk }) => ({
      form: { names: namesOf(query as Query), walk, sortBy: query.sortBy },
      values: { ...query, name: anywhere(query.name ?? '') },
    }),
    where: ({ names, walk }, db) =>
      and(
        isLive,
        ...names.map((name) =>
          name === 'name' && walk === 'names' ? inArray(table.id, idsByName(db)) : conditions.get(name),
        ),
      ),
    sort: ({ sortBy }) => sorts[sortBy],
    countsAll: true,
  })

  return async function listPage(db: Db, query: Query) {
    const { sortOrder: order, limit, offset } = query
    const all = await total(db, counter)
    const matching = namesOf(query).length === 0 ? all : await list.count(db, { ...query, walk: 'sort' })
    if (limit === 0 || offset >= matching) return page<P>([], query, matching)
    refuseDeepPage(query, matching)
    const walk = walkFor(query, matching, all)
    return page(await present(db, await list.page(db, { ...query, walk }, { order, limit, offset })), query, matching)
  }
}

type Walk = 'sort' | 'names'

/**
 * The index that a search by name scans: that of the sort, until the page is full, or that of the names, to read and
 * sort all matches. The first is fast when many match, the second when few do: at a million assets each is several
 * times slower than the other in its worst case. Reading a name in the index costs about a tenth of reading a row.
 */
function walkFor({ name, sortBy, limit, offset }: PageRequest<string>, matching: number, all: number): Walk {
  if (name === undefined || sortBy === 'name') return 'sort'
  const readAlongSort = ((offset + limit) * all) / matching
  return readAlongSort <= matching + all / 10 ? 'sort' : 'names'
}
