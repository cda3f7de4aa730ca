import { and, asc, type Db, eq, inArray, isNull, param, prepared, queryAmong, type SQL, sql } from '@bursar/store'
import { assetProviders } from '../tables/asset-providers.table'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { providers } from '../tables/providers.table'
import { type AssetRow, toAsset } from './assets'
import type { AssetWithRelations } from './assets.model'

type Mapping = AssetWithRelations['assetProviders'][number]

/** The tables that an asset with its relations is read from. */
export const catalogueTables = [assets, categories, assetProviders, providers]

/** The columns of an asset with its category. */
export const assetColumns = (db: Db) => ({
  id: assets.id,
  name: assets.name,
  code: assets.code,
  categoryId: assets.categoryId,
  description: assets.description,
  staticValue: assets.staticValue,
  createdAt: assets.createdAt,
  updatedAt: assets.updatedAt,
  // Not a join: a join would look up the category of every row that an offset skips.
  categoryName: sql`${categoryNameOf(db)}` as SQL<string | null>,
})

const categoryNameOf = (db: Db) =>
  db.select({ name: categories.name }).from(categories).where(eq(categories.id, assets.categoryId))

/** An asset row with its category. */
type AssetWithCategory = Omit<AssetRow, 'searchName' | 'deletedAt'> & { categoryName: string | null }

/** An asset with its category and the providers that are mapped to it. */
export type AssetRecord = AssetWithCategory & Pick<AssetWithRelations, 'assetProviders'>

/** The asset as GET returns it. */
export const toAssetWithRelations = (record: AssetRecord): AssetWithRelations => ({
  ...toAsset(record),
  category: record.categoryId === null ? null : { id: record.categoryId, name: record.categoryName ?? '' },
  assetProviders: record.assetProviders,
})

/** The providers that are mapped to the assets of a page, by asset. */
export async function mappingsOf(db: Db, ids: readonly string[]): Promise<Map<string, Mapping[]>> {
  if (ids.length === 0) return new Map()
  const mappings = await mappingsOfAssets(db, ids)
  return Map.groupBy(mappings, (mapping) => mapping.assetId)
}

/** One asset with its mappings, one row per mapping; a single row when it has none. */
export const assetAndMappings = prepared((db) =>
  db
    .select({ asset: assetColumns(db), provider: providerColumns })
    .from(assets)
    .leftJoin(assetProviders, eq(assetProviders.assetId, assets.id))
    .leftJoin(providers, eq(providers.id, assetProviders.providerId))
    .where(and(eq(assets.id, param('id')), isNull(assets.deletedAt)))
    .orderBy(asc(assetProviders.providerId)),
)

const providerColumns = {
  id: providers.id,
  name: providers.name,
  slug: providers.slug,
  isDefault: providers.isDefault,
}

const mappingsOfAssets = queryAmong(
  (ids) => (db) =>
    db
      .select({ assetId: assetProviders.assetId, providerId: assetProviders.providerId, provider: providerColumns })
      .from(assetProviders)
      .innerJoin(providers, eq(providers.id, assetProviders.providerId))
      .where(inArray(assetProviders.assetId, ids))
      .orderBy(asc(assetProviders.assetId), asc(assetProviders.providerId)),
)
