import { and, asc, type Db, eq, inArray, isNull, queryAmong } from '@bursar/store'
import { recordPages } from '../lists/record-pages'
import { mappedProvider } from '../providers/providers'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'
import { type CategoryRow, getCategory, toCategory } from './categories'
import type { CategoryWithRelations } from './categories.model'

/** One category as GET returns it, with its assets and providers; fails when it does not exist. */
export async function getCategoryWithRelations(db: Db, id: string): Promise<CategoryWithRelations> {
  const [category] = await withRelations(db, [await getCategory(db, id)])
  return category as CategoryWithRelations
}

async function withRelations(db: Db, rows: CategoryRow[]): Promise<CategoryWithRelations[]> {
  const ids = rows.map((row) => row.id)
  const members = await assetsInCategories(db, ids)
  const mappings = await mappingsOfCategories(db, ids)
  const membersOf = Map.groupBy(members, (asset) => asset.categoryId)
  const mappingsOf = Map.groupBy(mappings, (mapping) => mapping.categoryId)
  return rows.map((row) => ({
    ...toCategory(row),
    assets: (membersOf.get(row.id) ?? []).map(({ categoryId: _, ...asset }) => asset),
    categoryProviders: mappingsOf.get(row.id) ?? [],
  }))
}

/** A page of categories with their assets and providers. */
export const listCategories = recordPages(categories, {
  counter: 'categories',
  rows: (db) => db.select().from(categories),
  sorts: { name: categories.searchName, createdAt: categories.createdAt, updatedAt: categories.updatedAt },
  filters: {},
  present: withRelations,
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
        provider: mappedProvider,
      })
      .from(categoryProviders)
      .innerJoin(providers, eq(providers.id, categoryProviders.providerId))
      .where(inArray(categoryProviders.categoryId, ids))
      .orderBy(asc(categoryProviders.id)),
)
