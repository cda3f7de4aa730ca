import { and, eq, insertMissing, newId, param, prepared, type Tx } from '@bursar/store'
import { findAsset } from '../assets/assets'
import { hasCategory } from '../categories/categories'
import { fail } from '../errors'
import { announcePricing } from '../pricing/announce-pricing'
import { masked } from '../providers/credential-leaves'
import type { Credentials } from '../providers/credentials'
import { hasProvider } from '../providers/providers'
import { assetProviders } from '../tables/asset-providers.table'
import { categoryProviders } from '../tables/category-providers.table'
import type { AssetProviderPath, CategoryProviderPath, NewAssetProvider, NewCategoryProvider } from './mappings.model'

type AssetProviderRow = typeof assetProviders.$inferSelect
type CategoryProviderRow = typeof categoryProviders.$inferSelect

/** Maps a provider to an asset. Fails when one of them does not exist, or the mapping already exists. */
export async function mapAsset(
  tx: Tx,
  credentials: Credentials,
  { assetId, ...fields }: NewAssetProvider,
  userId: string | null,
  now: Date,
): Promise<AssetProviderRow> {
  const asset = await findAsset(tx, assetId)
  if (!asset) throw fail('MAPPED_ASSET_MISSING')
  const row = { assetId, ...(await newMapping(tx, credentials, fields, now)) }
  if ((await insertForAssets(tx, [row])) === 0) throw fail('MAPPING_EXISTS')
  await announce(tx, asset.code, userId, now)
  return row
}

/** Maps a provider to a category. Fails when one of them does not exist, or the mapping already exists. */
export async function mapCategory(
  tx: Tx,
  credentials: Credentials,
  { categoryId, ...fields }: NewCategoryProvider,
  userId: string | null,
  now: Date,
): Promise<CategoryProviderRow> {
  if (!(await hasCategory(tx, categoryId))) throw fail('CATEGORY_MISSING')
  const row = { id: newId(), categoryId, ...(await newMapping(tx, credentials, fields, now)) }
  if ((await insertForCategories(tx, [row])) === 0) throw fail('MAPPING_EXISTS')
  // It may concern every asset of the category.
  await announce(tx, null, userId, now)
  return row
}

async function newMapping(
  tx: Tx,
  credentials: Credentials,
  { providerId, config }: Pick<NewAssetProvider, 'providerId' | 'config'>,
  now: Date,
) {
  if (!(await hasProvider(tx, providerId))) throw fail('MAPPED_PROVIDER_MISSING')
  return { providerId, config: config ? credentials.seal(config, providerId) : null, createdAt: now, updatedAt: now }
}

/** Deletes a mapping. Fails when it does not exist. */
export async function unmapAsset(tx: Tx, path: AssetProviderPath, userId: string | null, now: Date): Promise<void> {
  if ((await deleteOfAsset(tx).execute(path)) === 0) throw fail('MAPPING_MISSING')
  const asset = await findAsset(tx, path.assetId)
  await announce(tx, asset?.code ?? null, userId, now)
}

/** Deletes a mapping. Fails when it does not exist. */
export async function unmapCategory(
  tx: Tx,
  path: CategoryProviderPath,
  userId: string | null,
  now: Date,
): Promise<void> {
  if ((await deleteOfCategory(tx).execute(path)) === 0) throw fail('MAPPING_MISSING')
  await announce(tx, null, userId, now)
}

const announce = (tx: Tx, assetCode: string | null, userId: string | null, now: Date): Promise<void> =>
  announcePricing(tx, { assetCode, what: 'mapping', userId }, now)

/** A mapping as the API returns it, its credentials masked. */
export const toMapping = <Row extends AssetProviderRow | CategoryProviderRow>(row: Row) => ({
  ...row,
  config: row.config && masked(row.config),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const insertForAssets = insertMissing(assetProviders)
const insertForCategories = insertMissing(categoryProviders)
const deleteOfAsset = prepared(
  (db) =>
    db
      .delete(assetProviders)
      .where(and(eq(assetProviders.assetId, param('assetId')), eq(assetProviders.providerId, param('providerId')))),
  'rows',
)
const deleteOfCategory = prepared(
  (db) =>
    db
      .delete(categoryProviders)
      .where(and(eq(categoryProviders.providerId, param('id')), eq(categoryProviders.categoryId, param('categoryId')))),
  'rows',
)
