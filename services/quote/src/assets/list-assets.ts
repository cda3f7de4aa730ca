import {
  and,
  anywhere,
  asc,
  count,
  type Db,
  desc,
  eq,
  inArray,
  isNull,
  matches,
  param,
  type SQL,
  variants,
} from '@bursar/store'
import { total } from '../counters/counters'
import { refuseDeepPage } from '../lists/deep-pages'
import { assets } from '../tables/assets.table'
import { type AssetRecord, assetColumns, mappingsOf } from './asset-relations'
import type { AssetQuery } from './assets.model'

/** A page of assets with their categories and providers, and the total of matches. */
export async function listAssets(db: Db, query: AssetQuery): Promise<{ rows: AssetRecord[]; total: number }> {
  const { limit, offset, sortBy, sortOrder } = query
  const filters = filterNames.filter((name) => query[name] !== undefined)
  const values = { ...query, name: anywhere(query.name ?? '') }
  const all = await total(db, 'assets')
  const matching = filters.length === 0 ? all : await countMatching(db, filters, values)
  if (limit === 0 || offset >= matching) return { rows: [], total: matching }
  refuseDeepPage(query, matching)
  const statement = pageOfAssets({ filters, walk: walkFor(query, matching, all), sortBy, sortOrder })
  const rows = await statement(db).execute(values)
  const ids = rows.map((row) => row.id)
  const mappings = await mappingsOf(db, ids)
  return { rows: rows.map((row) => ({ ...row, assetProviders: mappings.get(row.id) ?? [] })), total: matching }
}

async function countMatching(db: Db, filters: Filter[], values: Record<string, unknown>): Promise<number> {
  const [row] = await countOfAssets({ filters })(db).execute(values)
  return row?.total ?? 0
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
  code: eq(assets.code, param('code')),
  categoryId: eq(assets.categoryId, param('categoryId')),
}
type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]

const matchingAll = (filters: readonly Filter[], name: SQL = conditions.name) =>
  and(isNull(assets.deletedAt), ...filters.map((filter) => (filter === 'name' ? name : conditions[filter])))

const idsByName = (db: Db) =>
  db
    .select({ id: assets.id })
    .from(assets)
    .where(matchingAll(['name']))

const sorts = { name: assets.searchName, code: assets.code, createdAt: assets.createdAt, updatedAt: assets.updatedAt }

type PageForm = { filters: Filter[]; walk: Walk } & Pick<AssetQuery, 'sortBy' | 'sortOrder'>

const pageOfAssets = variants(({ filters, walk, sortBy, sortOrder }: PageForm) => {
  const direction = sortOrder === 'asc' ? asc : desc
  return (db) =>
    db
      .select(assetColumns(db))
      .from(assets)
      .where(matchingAll(filters, walk === 'names' ? inArray(assets.id, idsByName(db)) : undefined))
      .orderBy(direction(sorts[sortBy]), direction(assets.id))
      .limit(param('limit'))
      .offset(param('offset'))
})

const countOfAssets = variants(
  ({ filters }: { filters: Filter[] }) =>
    (db) =>
      db.select({ total: count() }).from(assets).where(matchingAll(filters)),
)
