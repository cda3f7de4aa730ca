import { and, asc, type Db, eq, inArray, isNull, matches, param, queryAmong } from '@bursar/store'
import { recordPages } from '../lists/record-pages'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'
import { type CategoryRow, getCategory, toCategory } from './categories'
import type { CategoryQuery, CategoryWithRelations } from './categories.model'

/** A category with its assets and providers. */
type CategoryRecord = CategoryRow & Pick<CategoryWithRelations, 'assets' | 'categoryProviders'>

/** One category with its assets and providers; fails when it does not exist. */
export async function getCategoryWithRelations(db: Db, id: string): Promise<CategoryRecord> {
  const row = await getCategory(db, id)
  const [record] = await withRelations(db, [row])
  return record ?? { ...row, assets: [], categoryProviders: [] }
}

/** A page of categories with their assets and providers, and the total of matches. */
export async function listCategories(db: Db, query: CategoryQuery): Promise<{ rows: CategoryRecord[]; total: number }> {
  const { rows, total } = await readPage(db, query)
  return { rows: await withRelations(db, rows), total }
}

/** The category as GET returns it. */
export const toCategoryWithRelations = (record: CategoryRecord): CategoryWithRelations => ({
  ...toCategory(record),
  assets: record.assets,
  categoryProviders: record.categoryProviders,
})

async function withRelations(db: Db, rows: CategoryRow[]): Promise<CategoryRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const members = await assetsInCategories(db, ids)
  const mappings = await mappingsOfCategories(db, ids)
  const membersOf = Map.groupBy(members, (asset) => asset.categoryId)
  const mappingsOf = Map.groupBy(mappings, (mapping) => mapping.categoryId)
  return rows.map((row) => ({
    ...row,
    assets: (membersOf.get(row.id) ?? []).map(({ categoryId: _, ...asset }) => asset),
    categoryProviders: mappingsOf.get(row.id) ?? [],
  }))
}

const readPage = recordPages(categories, {
  counter: 'categories',
  sorts: { name: categories.searchName, createdAt: categories.createdAt, updatedAt: categories.updatedAt },
  filters: { name: matches(categories.searchName, param('name')) },
})

const assetsInCategories = queryAmong(
  (ids) => (db) =>
    db
      .select({
        id: assets.id,
        name: assets.name,
        code: assets.code,
        description: assets.description,
        categoryId: assets.categoryId,
      })
      .from(assets)
      .where(and(inArray(assets.categoryId, ids), isNull(assets.deletedAt)))
      .orderBy(asc(assets.createdAt), asc(assets.id)),
)

const mappingsOfCategories = queryAmong(
  (ids) => (db) =>
    db
      .select({
        categoryId: categoryProviders.categoryId,
        providerId: categoryProviders.providerId,
        provider: { id: providers.id, name: providers.name, slug: providers.slug, isDefault: providers.isDefault },
      })
      .from(categoryProviders)
      .innerJoin(providers, eq(providers.id, categoryProviders.providerId))
      .where(inArray(categoryProviders.categoryId, ids))
      .orderBy(asc(categoryProviders.id)),
)
