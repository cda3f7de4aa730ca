import { deleteBy, insertMissing, newId, type Tx } from '@bursar/store'
import { findAsset } from '../assets/assets'
import { findCategory } from '../categories/categories'
import { fail } from '../errors'
import { announcePricing } from '../pricing/announce-pricing'
import type { Author } from '../pricing/author'
import { masked } from '../providers/credential-leaves'
import type { Credentials } from '../providers/credentials'
import { findProvider } from '../providers/providers'
import { assetProviders } from '../tables/asset-providers.table'
import { categoryProviders } from '../tables/category-providers.table'
import type { AssetProviderPath, CategoryProviderPath, NewAssetProvider, NewCategoryProvider } from './mappings.model'

type AssetProviderRow = typeof assetProviders.$inferSelect
type CategoryProviderRow = typeof categoryProviders.$inferSelect

/** Maps a provider to an asset. Fails when one of them does not exist, or the mapping already exists. */
export async function mapAsset(tx: Tx, credentials: Credentials, input: NewAssetProvider, by: Author) {
  const asset = await findAsset(tx, input.assetId)
  if (!asset) throw fail('MAPPED_ASSET_MISSING')
  const row: AssetProviderRow = { assetId: asset.id, ...(await newMapping(tx, credentials, input, by)) }
  if ((await insertForAssets(tx, [row])) === 0) throw fail('MAPPING_EXISTS')
  await announcePricing(tx, { assetCode: asset.code, what: 'mapping' }, by)
  return row
}

/** Maps a provider to a category. Fails when one of them does not exist, or the mapping already exists. */
export async function mapCategory(tx: Tx, credentials: Credentials, input: NewCategoryProvider, by: Author) {
  const { categoryId } = input
  if (!(await findCategory(tx, categoryId))) throw fail('CATEGORY_MISSING')
  const row: CategoryProviderRow = { id: newId(), categoryId, ...(await newMapping(tx, credentials, input, by)) }
  if ((await insertForCategories(tx, [row])) === 0) throw fail('MAPPING_EXISTS')
  await announcePricing(tx, ofEveryAsset, by)
  return row
}

/** A category's mapping may concern every asset of the category. */
const ofEveryAsset = { assetCode: null, what: 'mapping' } as const

async function newMapping(
  tx: Tx,
  credentials: Credentials,
  { providerId, config }: Pick<NewAssetProvider, 'providerId' | 'config'>,
  { now }: Author,
) {
  if (!(await findProvider(tx, providerId))) throw fail('MAPPED_PROVIDER_MISSING')
  return { providerId, config: config ? credentials.seal(config, providerId) : null, createdAt: now, updatedAt: now }
}

/** Deletes a mapping. Fails when it does not exist. */
export async function unmapAsset(tx: Tx, path: AssetProviderPath, by: Author): Promise<void> {
  if ((await deleteOfAsset(tx).execute(path)) === 0) throw fail('MAPPING_MISSING')
  const asset = await findAsset(tx, path.assetId)
  await announcePricing(tx, { assetCode: asset?.code ?? null, what: 'mapping' }, by)
}

/** Deletes a mapping. Fails when it does not exist. */
export async function unmapCategory(
  tx: Tx,
  { id: providerId, categoryId }: CategoryProviderPath,
  by: Author,
): Promise<void> {
  if ((await deleteOfCategory(tx).execute({ categoryId, providerId })) === 0) throw fail('MAPPING_MISSING')
  await announcePricing(tx, ofEveryAsset, by)
}

/** A mapping as the API returns it, its credentials masked. */
export const toMapping = <Row extends AssetProviderRow | CategoryProviderRow>(row: Row) => ({
  ...row,
  config: row.config && masked(row.config),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const insertForAssets = insertMissing(assetProviders)
const insertForCategories = insertMissing(categoryProviders)
const deleteOfAsset = deleteBy(assetProviders, ['assetId', 'providerId'])
const deleteOfCategory = deleteBy(categoryProviders, ['categoryId', 'providerId'])
