import type { Store } from '@bursar/store'
import { fail } from '../errors'
import { assetAndMappings, withRelations } from './asset-relations'
import type { AssetWithRelations } from './assets.model'

/** One asset with its category and providers, in one statement. */
export async function getAsset(store: Store, id: string): Promise<AssetWithRelations> {
  const rows = await assetAndMappings(store.read).execute({ id })
  const [first] = rows
  if (!first) throw fail('ASSET_NOT_FOUND')
  const mappings = rows.flatMap(({ provider }) =>
    provider ? [{ assetId: first.asset.id, providerId: provider.id, provider }] : [],
  )
  return withRelations(first.asset, mappings)
}
