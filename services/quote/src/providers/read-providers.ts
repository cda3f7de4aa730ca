import { page } from '@bursar/http'
import {
  anywhere,
  type Db,
  listParams,
  listSize,
  listValues,
  matches,
  param,
  prepared,
  type Store,
  variants,
} from '@bursar/store'
import { and, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import { assetProviders } from '../asset-providers/asset-providers.table'
import { assets } from '../assets/assets.table'
import { categories } from '../categories/categories.table'
import { categoryProviders } from '../category-providers/category-providers.table'
import { total } from '../counters/counters'
import { fail } from '../errors'
import { toProvider } from './providers'
import type { ProviderPage, ProviderQuery, ProviderWithRelations } from './providers.model'
import { providers } from './providers.table'

/** One provider with the assets and categories that are mapped to it. */
export async function getProvider(store: Store, id: string): Promise<ProviderWithRelations> {
  const rows = await providerById(store.read).execute({ id })
  const [provider] = await withRelations(store.read, rows)
  if (!provider) throw fail('PROVIDER_NOT_FOUND')
  return provider
}

/** A page of providers with the assets and categories that are mapped to them. */
export async function listProviders(store: Store, query: ProviderQuery): Promise<ProviderPage> {
  const filters = filterNames.filter((name) => query[name] !== undefined)
  const values = { ...query, name: anywhere(query.name ?? '') }
  const rows = await pageOfProviders(filters, query.sortBy, query.sortOrder)(store.read).execute(values)
  const data = await withRelations(store.read, rows)
  return page(data, query, await totalOf(store.read, filters, values))
}

async function totalOf(read: Db, filters: Filter[], values: Record<string, unknown>): Promise<number> {
  if (filters.length === 0) return await total(read, 'providers')
  const [row] = await countOfProviders(filters)(read).execute(values)
  return row?.total ?? 0
}

async function withRelations(read: Db, rows: Parameters<typeof toProvider>[0][]): Promise<ProviderWithRelations[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const size = listSize(ids)
  const ofAssets = await assetsOfProviders(size)(read).execute(listValues('id', ids))
  const ofCategories = await categoriesOfProviders(size)(read).execute(listValues('id', ids))
  const assetsOf = Map.groupBy(ofAssets, (mapping) => mapping.providerId)
  const categoriesOf = Map.groupBy(ofCategories, (mapping) => mapping.providerId)
  return rows.map((row) => ({
    ...toProvider(row),
    assetProviders: assetsOf.get(row.id) ?? [],
    categoryProviders: categoriesOf.get(row.id) ?? [],
  }))
}

const columns = {
  id: providers.id,
  name: providers.name,
  slug: providers.slug,
  isDefault: providers.isDefault,
  config: providers.config,
  createdAt: providers.createdAt,
  updatedAt: providers.updatedAt,
}

const providerById = prepared((db) =>
  db
    .select(columns)
    .from(providers)
    .where(and(eq(providers.id, param('id')), isNull(providers.deletedAt))),
)

const conditions = {
  name: matches(providers.searchName, param('name')),
  slug: eq(providers.slug, param('slug')),
  isDefault: eq(providers.isDefault, param('isDefault')),
}
type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]
const matching = (filters: readonly Filter[]) =>
  and(isNull(providers.deletedAt), ...filters.map((name) => conditions[name]))

const sorts = {
  name: providers.searchName,
  slug: providers.slug,
  createdAt: providers.createdAt,
  updatedAt: providers.updatedAt,
}

const pageOfProviders = variants(
  (filters: Filter[], sortBy: ProviderQuery['sortBy'], order: ProviderQuery['sortOrder']) => {
    const direction = order === 'asc' ? asc : desc
    return (db) =>
      db
        .select(columns)
        .from(providers)
        .where(matching(filters))
        .orderBy(direction(sorts[sortBy]), direction(providers.id))
        .limit(param('limit'))
        .offset(param('offset'))
  },
)

const countOfProviders = variants(
  (filters: Filter[]) => (db) => db.select({ total: count() }).from(providers).where(matching(filters)),
)

const assetsOfProviders = variants(
  (size: number) => (db) =>
    db
      .select({
        assetId: assetProviders.assetId,
        providerId: assetProviders.providerId,
        asset: { id: assets.id, name: assets.name, code: assets.code },
      })
      .from(assetProviders)
      .innerJoin(assets, eq(assets.id, assetProviders.assetId))
      .where(inArray(assetProviders.providerId, listParams('id', size)))
      .orderBy(asc(assetProviders.assetId)),
)

const categoriesOfProviders = variants(
  (size: number) => (db) =>
    db
      .select({
        categoryId: categoryProviders.categoryId,
        providerId: categoryProviders.providerId,
        category: { id: categories.id, name: categories.name },
      })
      .from(categoryProviders)
      .innerJoin(categories, eq(categories.id, categoryProviders.categoryId))
      .where(inArray(categoryProviders.providerId, listParams('id', size)))
      .orderBy(asc(categoryProviders.id)),
)
