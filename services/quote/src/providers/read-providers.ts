import { asc, type Db, eq, inArray, matches, nextTurn, param, prepared, queryAmong } from '@bursar/store'
import { recordPages } from '../lists/record-pages'
import { assetProviders } from '../tables/asset-providers.table'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'
import { getProvider, type ProviderRow, toProvider } from './providers'
import type { ProviderQuery, ProviderWithRelations } from './providers.model'

/** A provider with the assets and categories that it is mapped to. */
type ProviderRecord = ProviderRow & Pick<ProviderWithRelations, 'assetProviders' | 'categoryProviders'>

/** One provider with its mappings; fails when it does not exist. */
export async function getProviderWithRelations(db: Db, id: string): Promise<ProviderRecord> {
  const row = await getProvider(db, id)
  const [record] = await withRelations(db, [row])
  return record ?? { ...row, assetProviders: [], categoryProviders: [] }
}

/** A page of providers with their mappings, and the total of matches. */
export async function listProviders(db: Db, query: ProviderQuery): Promise<{ rows: ProviderRecord[]; total: number }> {
  const { rows, total } = await readPage(db, query)
  return { rows: await withRelations(db, rows), total }
}

/** The provider as GET returns it, its credentials masked. */
export const toProviderWithRelations = (record: ProviderRecord): ProviderWithRelations => ({
  ...toProvider(record),
  assetProviders: record.assetProviders,
  categoryProviders: record.categoryProviders,
})

async function withRelations(db: Db, rows: ProviderRow[]): Promise<ProviderRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const ofCategories = await categoriesOfProviders(db, ids)
  const categoriesOf = Map.groupBy(ofCategories, (mapping) => mapping.providerId)
  const records: ProviderRecord[] = []
  for (const row of rows) {
    const ofAssets = await assetsOfProvider(db).execute({ id: row.id })
    records.push({ ...row, assetProviders: ofAssets, categoryProviders: categoriesOf.get(row.id) ?? [] })
    // A provider may have thousands of mappings: other requests are answered in between.
    if (ofAssets.length > 100) await nextTurn()
  }
  return records
}

const readPage = recordPages(providers, {
  counter: 'providers',
  sorts: {
    name: providers.searchName,
    slug: providers.slug,
    createdAt: providers.createdAt,
    updatedAt: providers.updatedAt,
  },
  filters: {
    name: matches(providers.searchName, param('name')),
    slug: eq(providers.slug, param('slug')),
    isDefault: eq(providers.isDefault, param('isDefault')),
  },
})

const assetsOfProvider = prepared((db) =>
  db
    .select({
      assetId: assetProviders.assetId,
      providerId: assetProviders.providerId,
      asset: { id: assets.id, name: assets.name, code: assets.code },
    })
    .from(assetProviders)
    .innerJoin(assets, eq(assets.id, assetProviders.assetId))
    .where(eq(assetProviders.providerId, param('id')))
    .orderBy(asc(assetProviders.assetId)),
)

const categoriesOfProviders = queryAmong(
  (ids) => (db) =>
    db
      .select({
        categoryId: categoryProviders.categoryId,
        providerId: categoryProviders.providerId,
        category: { id: categories.id, name: categories.name },
      })
      .from(categoryProviders)
      .innerJoin(categories, eq(categories.id, categoryProviders.categoryId))
      .where(inArray(categoryProviders.providerId, ids))
      .orderBy(asc(categoryProviders.id)),
)
