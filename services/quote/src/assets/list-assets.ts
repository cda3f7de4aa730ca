import { page } from '@bursar/http'
import {
  and,
  anywhere,
  caseless,
  type Db,
  defineSortedList,
  eq,
  inArray,
  isNull,
  matches,
  param,
  type SQL,
} from '@bursar/store'
import { total } from '../counters/counters'
import { refuseDeepPage } from '../lists/deep-pages'
import { assets } from '../tables/assets.table'
import { assetColumns, withRelations } from './asset-relations'
import type { AssetPage, AssetQuery } from './assets.model'

/** A page of assets with their categories and providers, and the total of matches. */
export async function listAssets(db: Db, query: AssetQuery): Promise<AssetPage> {
  const { limit, offset, sortOrder: order } = query
  const all = await total(db, 'assets')
  const matching = filtersOf(query).length === 0 ? all : await assetList.count(db, { ...query, walk: 'sort' })
  if (limit === 0 || offset >= matching) return page([], query, matching)
  refuseDeepPage(query, matching)
  const walk = walkFor(query, matching, all)
  const rows = await assetList.page(db, { ...query, walk }, { order, limit, offset })
  return page(await withRelations(db, rows), query, matching)
}

type Walk = 'sort' | 'names'

/**
 * The index that a search by name scans: that of the sort, until the page is full, or that of the names, to read and
 * sort all matches. The first is fast when many match, the second when few do: at a million assets each is several
 * times slower than the other in its worst case. Reading a name in the index costs about a tenth of reading a row.
 */
function walkFor({ name, sortBy, limit, offset }: AssetQuery, matching: number, all: number): Walk {
  if (name === undefined || sortBy === 'name') return 'sort'
  const readAlongSort = ((offset + limit) * all) / matching
  return readAlongSort <= matching + all / 10 ? 'sort' : 'names'
}

const conditions = {
  name: matches(assets.searchName, param('name')),
  code: eq(caseless(assets.code), caseless(param('code'))),
  categoryId: eq(assets.categoryId, param('categoryId')),
}
type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]
const filtersOf = (query: AssetQuery) => filterNames.filter((name) => query[name] !== undefined)

const matchingAll = (filters: readonly Filter[], name: SQL = conditions.name) =>
  and(isNull(assets.deletedAt), ...filters.map((filter) => (filter === 'name' ? name : conditions[filter])))

const idsByName = (db: Db) =>
  db
    .select({ id: assets.id })
    .from(assets)
    .where(matchingAll(['name']))

const sorts = {
  name: assets.searchName,
  code: caseless(assets.code),
  createdAt: assets.createdAt,
  updatedAt: assets.updatedAt,
}

const assetList = defineSortedList({
  id: assets.id,
  rows: (db) => db.select(assetColumns(db)).from(assets),
  to: (row) => row,
  read: ({ walk, ...query }: AssetQuery & { walk: Walk }) => ({
    form: { filters: filtersOf(query), walk, sortBy: query.sortBy },
    values: { ...query, name: anywhere(query.name ?? '') },
  }),
  where: ({ filters, walk }, db) =>
    matchingAll(filters, walk === 'names' ? inArray(assets.id, idsByName(db)) : undefined),
  sort: ({ sortBy }) => sorts[sortBy],
  countsAll: true,
})
