import { param, params, prepared, type Store } from '@bursar/store'
import { and, eq } from 'drizzle-orm'
import { hasAsset } from '../assets/assets'
import { fail } from '../errors'
import { masked } from '../providers/credential-leaves'
import type { Credentials } from '../providers/credentials'
import { hasProvider } from '../providers/providers'
import type { AssetProvider, AssetProviderPath, NewAssetProvider } from './asset-providers.model'
import { assetProviders } from './asset-providers.table'

type Row = typeof assetProviders.$inferSelect

/** Maps a provider to an asset. Fails when either is missing, or the two are mapped already. */
export const mapAsset = (
  store: Store,
  credentials: Credentials,
  { assetId, providerId, config }: NewAssetProvider,
  now = new Date(),
): Promise<AssetProvider> =>
  store.commit(async (tx) => {
    if (!(await hasAsset(tx, assetId))) throw fail('MAPPED_ASSET_MISSING')
    if (!(await hasProvider(tx, providerId))) throw fail('MAPPED_PROVIDER_MISSING')
    const sealed = config ? credentials.seal(config, providerId) : null
    const row: Row = { assetId, providerId, config: sealed, createdAt: now, updatedAt: now }
    const [stored] = await insertMapping(tx).execute(row)
    if (!stored) throw fail('MAPPING_EXISTS')
    return toAssetProvider(row)
  })

/** Ends a mapping. Fails when there is none. */
export const unmapAsset = (store: Store, path: AssetProviderPath): Promise<void> =>
  store.commit(async (tx) => {
    const [removed] = await deleteMapping(tx).execute(path)
    if (!removed) throw fail('MAPPING_MISSING')
  })

const toAssetProvider = (row: Row): AssetProvider => ({
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
