import {
  and,
  asc,
  type Db,
  eq,
  getTableColumns,
  inArray,
  isNull,
  param,
  prepared,
  queryAmong,
  type SQL,
  sql,
} from '@bursar/store'
import { fail } from '../errors'
import { mappedProvider } from '../providers/providers'
import { assetProviders } from '../tables/asset-providers.table'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { providers } from '../tables/providers.table'
import { type AssetRow, toAsset } from './assets'
import type { AssetWithRelations } from './assets.model'

/** The tables that an asset with its relations is read from. */
export const catalogueTables = [assets, categories, assetProviders, providers]

/** The columns of an asset with its category. */
export const assetColumns = (db: Db) => ({
  ...getTableColumns(assets),
  // Not a join: a join would look up the category of every row that an offset skips.
  categoryName: sql`${categoryNameOf(db)}` as SQL<string | null>,
})

const categoryNameOf = (db: Db) =>
  db.select({ name: categories.name }).from(categories).where(eq(categories.id, assets.categoryId))

/** An asset row with its category. */
type AssetWithCategory = AssetRow & { categoryName: string | null }

/** One asset as GET returns it, in one statement; fails when it does not exist. */
export async function getAsset(db: Db, id: string): Promise<AssetWithRelations> {
  const rows = await assetAndMappings(db).execute({ id })
  const [first] = rows
  if (!first) throw fail('ASSET_NOT_FOUND')
  const mappings = rows.flatMap(({ provider }) =>
    provider ? [{ assetId: first.asset.id, providerId: provider.id, provider }] : [],
  )
  return toAssetWithRelations(first.asset, mappings)
}

/** The assets of a page as GET returns them. */
export async function withRelations(db: Db, rows: readonly AssetWithCategory[]): Promise<AssetWithRelations[]> {
  const ids = rows.map((row) => row.id)
  const mappings = Map.groupBy(await mappingsOfAssets(db, ids), (mapping) => mapping.assetId)
  return rows.map((row) => toAssetWithRelations(row, mappings.get(row.id) ?? []))
}

const toAssetWithRelations = (
  { categoryName, ...row }: AssetWithCategory,
  assetProviders: AssetWithRelations['assetProviders'],
): AssetWithRelations => ({
  ...toAsset(row),
  category: row.categoryId === null ? null : { id: row.categoryId, name: categoryName ?? '' },
  assetProviders,
})

/** One asset with its mappings, one row per mapping; a single row when it has none. */
const assetAndMappings = prepared((db) =>
  db
    .select({ asset: assetColumns(db), provider: mappedProvider })
    .from(assets)
    .leftJoin(assetProviders, eq(assetProviders.assetId, assets.id))
    .leftJoin(providers, eq(providers.id, assetProviders.providerId))
    .where(and(eq(assets.id, param('id')), isNull(assets.deletedAt)))
    .orderBy(asc(assetProviders.providerId)),
)
const mappingsOfAssets = queryAmong(
  (ids) => (db) =>
    db
      .select({ assetId: assetProviders.assetId, providerId: assetProviders.providerId, provider: mappedProvider })
      .from(assetProviders)
      .innerJoin(providers, eq(providers.id, assetProviders.providerId))
      .where(inArray(assetProviders.assetId, ids))
      .orderBy(asc(assetProviders.assetId), asc(assetProviders.providerId)),
)
