import { asc, type Db, eq, inArray, nextTurn, param, prepared, queryAmong } from '@bursar/store'
import { recordPages } from '../lists/record-pages'
import { assetProviders } from '../tables/asset-providers.table'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'
import { getProvider, type ProviderRow, toProvider } from './providers'
import type { ProviderWithRelations } from './providers.model'

/** One provider as GET returns it, with its mappings, its credentials masked; fails when it does not exist. */
export async function getProviderWithRelations(db: Db, id: string): Promise<ProviderWithRelations> {
  const [provider] = await withRelations(db, [await getProvider(db, id)])
  return provider as ProviderWithRelations
}

async function withRelations(db: Db, rows: ProviderRow[]): Promise<ProviderWithRelations[]> {
  const ids = rows.map((row) => row.id)
  const categoriesOf = Map.groupBy(await categoriesOfProviders(db, ids), (mapping) => mapping.providerId)
  const found: ProviderWithRelations[] = []
  for (const row of rows) {
    const ofAssets = await assetsOfProvider(db).execute({ id: row.id })
    found.push({ ...toProvider(row), assetProviders: ofAssets, categoryProviders: categoriesOf.get(row.id) ?? [] })
    // A provider may have thousands of mappings: other requests are answered in between.
    if (ofAssets.length > 100) await nextTurn()
  }
  return found
}

/** A page of providers with their mappings. */
export const listProviders = recordPages(providers, {
  counter: 'providers',
  rows: (db) => db.select().from(providers),
  sorts: {
    name: providers.searchName,
    slug: providers.slug,
    createdAt: providers.createdAt,
    updatedAt: providers.updatedAt,
  },
  filters: {
    slug: eq(providers.slug, param('slug')),
    isDefault: eq(providers.isDefault, param('isDefault')),
  },
  present: withRelations,
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
