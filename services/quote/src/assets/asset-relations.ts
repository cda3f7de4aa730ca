import { type Db, listParams, listSize, listValues, param, prepared, variants } from '@bursar/store'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { assetProviders } from '../asset-providers/asset-providers.table'
import { categories } from '../categories/categories.table'
import { providers } from '../providers/providers.table'
import { toAsset } from './assets'
import type { AssetWithRelations } from './assets.model'
import { assets } from './assets.table'

type Mapping = AssetWithRelations['assetProviders'][number]

/** The tables that an asset with its relations is read from; the total changes only with the assets. */
export const catalogueTables = [assets, categories, assetProviders, providers]

/** What is read of an asset that goes out with its category. */
export const assetColumns = (db: Db) => ({
  id: assets.id,
  name: assets.name,
  code: assets.code,
  categoryId: assets.categoryId,
  description: assets.description,
  staticValue: assets.staticValue,
  createdAt: assets.createdAt,
  updatedAt: assets.updatedAt,
  // Not a join: that would look up the category of every row that an offset skips.
  categoryName: sql`${categoryNameOf(db)}` as SQL<string | null>,
})

const categoryNameOf = (db: Db) =>
  db.select({ name: categories.name }).from(categories).where(eq(categories.id, assets.categoryId))

export type AssetRow = Parameters<typeof toAsset>[0] & { categoryName: string | null }

/** The asset as GET shows it. */
export const withRelations = (row: AssetRow, mappings: Mapping[]): AssetWithRelations => ({
  ...toAsset(row),
  category: row.categoryId === null ? null : { id: row.categoryId, name: row.categoryName ?? '' },
  assetProviders: mappings,
})

/** The providers that are mapped to the assets of a page, by asset. */
export async function mappingsOf(read: Db, ids: readonly string[]): Promise<Map<string, Mapping[]>> {
  if (ids.length === 0) return new Map()
  const mappings = await mappingsOfAssets(listSize(ids))(read).execute(listValues('id', ids))
  return Map.groupBy(mappings, (mapping) => mapping.assetId)
}

/** One asset with its mappings, a row for each; a single row without one where there is none. */
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

const mappingsOfAssets = variants(
  (size: number) => (db) =>
    db
      .select({ assetId: assetProviders.assetId, providerId: assetProviders.providerId, provider: providerColumns })
      .from(assetProviders)
      .innerJoin(providers, eq(providers.id, assetProviders.providerId))
      .where(inArray(assetProviders.assetId, listParams('id', size)))
      .orderBy(asc(assetProviders.assetId), asc(assetProviders.providerId)),
)
