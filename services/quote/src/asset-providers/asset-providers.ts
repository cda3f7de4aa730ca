import { and, eq, param, params, prepared, type Tx } from '@bursar/store'
import { findAsset } from '../assets/assets'
import { fail } from '../errors'
import { announcePricing } from '../pricing/announce-pricing'
import { masked } from '../providers/credential-leaves'
import type { Credentials } from '../providers/credentials'
import { hasProvider } from '../providers/providers'
import { assetProviders } from '../tables/asset-providers.table'
import type { AssetProvider, AssetProviderPath, NewAssetProvider } from './asset-providers.model'

export type AssetProviderRow = typeof assetProviders.$inferSelect

/** Maps a provider to an asset. Fails when one of them does not exist, or the mapping already exists. */
export async function mapAsset(
  tx: Tx,
  credentials: Credentials,
  { assetId, providerId, config }: NewAssetProvider,
  userId: string | null,
  now: Date,
): Promise<AssetProviderRow> {
  const asset = await findAsset(tx, assetId)
  if (!asset) throw fail('MAPPED_ASSET_MISSING')
  if (!(await hasProvider(tx, providerId))) throw fail('MAPPED_PROVIDER_MISSING')
  const sealed = config ? credentials.seal(config, providerId) : null
  const row: AssetProviderRow = { assetId, providerId, config: sealed, createdAt: now, updatedAt: now }
  const [stored] = await insertMapping(tx).execute(row)
  if (!stored) throw fail('MAPPING_EXISTS')
  await announcePricing(tx, { assetCode: asset.code, what: 'mapping', userId }, now)
  return row
}

/** Deletes a mapping. Fails when it does not exist. */
export async function unmapAsset(tx: Tx, path: AssetProviderPath, userId: string | null, now: Date): Promise<void> {
  const [removed] = await deleteMapping(tx).execute(path)
  if (!removed) throw fail('MAPPING_MISSING')
  const asset = await findAsset(tx, path.assetId)
  await announcePricing(tx, { assetCode: asset?.code ?? null, what: 'mapping', userId }, now)
}

/** The mapping as the API returns it, its credentials masked. */
export const toAssetProvider = (row: AssetProviderRow): AssetProvider => ({
  assetId: row.assetId,
  providerId: row.providerId,
  config: row.config && masked(row.config),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const insertMapping = prepared((db) =>
  db
    .insert(assetProviders)
    .values(params(assetProviders))
    .onConflictDoNothing()
    .returning({ assetId: assetProviders.assetId }),
)
const deleteMapping = prepared((db) =>
  db
    .delete(assetProviders)
    .where(and(eq(assetProviders.assetId, param('assetId')), eq(assetProviders.providerId, param('providerId'))))
    .returning({ assetId: assetProviders.assetId }),
)
