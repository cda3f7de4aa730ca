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
import { assets } from '../assets/assets.table'
import { categoryProviders } from '../category-providers/category-providers.table'
import { total } from '../counters/counters'
import { fail } from '../errors'
import { providers } from '../providers/providers.table'
import { toCategory } from './categories'
import type { CategoryPage, CategoryQuery, CategoryWithRelations } from './categories.model'
import { categories } from './categories.table'

/** One category with its assets and providers. */
export async function getCategory(store: Store, id: string): Promise<CategoryWithRelations> {
  const rows = await categoryById(store.read).execute({ id })
  const [category] = await withRelations(store.read, rows)
  if (!category) throw fail('CATEGORY_MISSING')
  return category
}

/** A page of categories with their assets and providers. */
export async function listCategories(store: Store, query: CategoryQuery): Promise<CategoryPage> {
  const { name, sortBy, sortOrder } = query
  const filter = name === undefined ? 'all' : 'name'
  const values = { ...query, name: anywhere(name ?? '') }
  const rows = await pageOfCategories(filter, sortBy, sortOrder)(store.read).execute(values)
  const data = await withRelations(store.read, rows)
  return page(data, query, await totalOf(store.read, filter, values))
}

async function totalOf(read: Db, filter: Filter, values: Record<string, unknown>): Promise<number> {
  if (filter === 'all') return await total(read, 'categories')
  const [row] = await countOfCategories(filter)(read).execute(values)
  return row?.total ?? 0
}

async function withRelations(read: Db, rows: Parameters<typeof toCategory>[0][]): Promise<CategoryWithRelations[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const size = listSize(ids)
  const members = await assetsInCategories(size)(read).execute(listValues('id', ids))
  const mappings = await mappingsOfCategories(size)(read).execute(listValues('id', ids))
  const membersOf = Map.groupBy(members, (asset) => asset.categoryId)
  const mappingsOf = Map.groupBy(mappings, (mapping) => mapping.categoryId)
  return rows.map((row) => ({
    ...toCategory(row),
    assets: (membersOf.get(row.id) ?? []).map(({ categoryId: _, ...asset }) => asset),
    categoryProviders: mappingsOf.get(row.id) ?? [],
  }))
}

const columns = {
  id: categories.id,
  name: categories.name,
  description: categories.description,
  createdAt: categories.createdAt,
  updatedAt: categories.updatedAt,
}

const categoryById = prepared((db) =>
  db
    .select(columns)
    .from(categories)
    .where(and(eq(categories.id, param('id')), isNull(categories.deletedAt))),
)

type Filter = 'all' | 'name'
const matching = (filter: Filter) =>
  and(isNull(categories.deletedAt), filter === 'name' ? matches(categories.searchName, param('name')) : undefined)

const sorts = { name: categories.searchName, createdAt: categories.createdAt, updatedAt: categories.updatedAt }

const pageOfCategories = variants(
  (filter: Filter, sortBy: CategoryQuery['sortBy'], order: CategoryQuery['sortOrder']) => {
    const direction = order === 'asc' ? asc : desc
    return (db) =>
      db
        .select(columns)
        .from(categories)
        .where(matching(filter))
        .orderBy(direction(sorts[sortBy]), direction(categories.id))
        .limit(param('limit'))
        .offset(param('offset'))
  },
)

const countOfCategories = variants(
  (filter: Filter) => (db) => db.select({ total: count() }).from(categories).where(matching(filter)),
)

const assetsInCategories = variants(
  (size: number) => (db) =>
    db
      .select({
        id: assets.id,
        name: assets.name,
        code: assets.code,
        description: assets.description,
        categoryId: assets.categoryId,
      })
      .from(assets)
      .where(and(inArray(assets.categoryId, listParams('id', size)), isNull(assets.deletedAt)))
      .orderBy(asc(assets.createdAt), asc(assets.id)),
)

const mappingsOfCategories = variants(
  (size: number) => (db) =>
    db
      .select({
        categoryId: categoryProviders.categoryId,
        providerId: categoryProviders.providerId,
        provider: { id: providers.id, name: providers.name, slug: providers.slug, isDefault: providers.isDefault },
      })
      .from(categoryProviders)
      .innerJoin(providers, eq(providers.id, categoryProviders.providerId))
      .where(inArray(categoryProviders.categoryId, listParams('id', size)))
      .orderBy(asc(categoryProviders.id)),
)
