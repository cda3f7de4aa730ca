import { page } from '@bursar/http'
import { anywhere, type Db, matches, type OpenStore, param, remember, type Store, variants } from '@bursar/store'
import { and, asc, count, desc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { total } from '../counters/counters'
import { assetColumns, catalogueTables, mappingsOf, withRelations } from './asset-relations'
import type { AssetPage, AssetQuery } from './assets.model'
import { assets } from './assets.table'

/** How many pages are kept in memory: a hundred of a hundred assets are about ten megabytes. */
const most = 100

/** Lists assets, a page that was asked for before from memory where nobody has changed the catalogue since. */
export function rememberedAssetPages(store: OpenStore): (query: AssetQuery) => Promise<AssetPage> {
  const pages = remember(store, { tables: catalogueTables, most }, (key) => listAssets(store, JSON.parse(key)))
  return ({ name, code, categoryId, limit, offset, sortBy, sortOrder }) =>
    pages(JSON.stringify({ name, code, categoryId, limit, offset, sortBy, sortOrder }))
}

/** A page of assets with their categories and providers. */
async function listAssets(store: Store, query: AssetQuery): Promise<AssetPage> {
  const { read } = store
  const filters = filterNames.filter((name) => query[name] !== undefined)
  const values = { ...query, name: anywhere(query.name ?? '') }
  const all = await total(read, 'assets')
  const matching = filters.length === 0 ? all : await countMatching(read, filters, values)
  if (query.limit === 0 || query.offset >= matching) return page([], query, matching)
  const statement = pageOfAssets(filters, walkFor(query, matching, all), query.sortBy, query.sortOrder)
  const rows = await statement(read).execute(values)
  const ids = rows.map((row) => row.id)
  const mappings = await mappingsOf(read, ids)
  const data = rows.map((row) => withRelations(row, mappings.get(row.id) ?? []))
  return page(data, query, matching)
}

async function countMatching(read: Db, filters: Filter[], values: Record<string, unknown>): Promise<number> {
  const [row] = await countOfAssets(filters)(read).execute(values)
  return row?.total ?? 0
}

type Walk = 'sort' | 'names'

/**
 * Which index a search for a name walks: that of the sort, until the page is full, or that of the names, to read and
 * sort all that match. The first is good where many match, the second where few do: at a million assets each is
 * several times the other at its worst. A name in the index costs about a tenth of a row read.
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

const pageOfAssets = variants(
  (filters: Filter[], walk: Walk, sortBy: AssetQuery['sortBy'], order: AssetQuery['sortOrder']) => {
    const direction = order === 'asc' ? asc : desc
    return (db) =>
      db
        .select(assetColumns(db))
        .from(assets)
        .where(matchingAll(filters, walk === 'names' ? inArray(assets.id, idsByName(db)) : undefined))
        .orderBy(direction(sorts[sortBy]), direction(assets.id))
        .limit(param('limit'))
        .offset(param('offset'))
  },
)

const countOfAssets = variants(
  (filters: Filter[]) => (db) => db.select({ total: count() }).from(assets).where(matchingAll(filters)),
)
