import { type OpenStore, remember, type Store } from '@bursar/store'
import { fail } from '../errors'
import { assetAndMappings, catalogueTables, withRelations } from './asset-relations'
import type { AssetWithRelations } from './assets.model'

/** How many assets are kept in memory as they go out, about a kilobyte each. */
const most = 10_000

/** Gets an asset, from memory where nobody has changed the catalogue since it was last asked for. */
export const rememberedAssets = (store: OpenStore): ((id: string) => Promise<AssetWithRelations>) =>
  remember(store, { tables: catalogueTables, most }, (id) => getAsset(store, id))

/** One asset with its category and providers, in one statement. */
async function getAsset(store: Store, id: string): Promise<AssetWithRelations> {
  const rows = await assetAndMappings(store.read).execute({ id })
  const [first] = rows
  if (!first) throw fail('ASSET_NOT_FOUND')
  const mappings = rows.flatMap(({ provider }) =>
    provider ? [{ assetId: first.asset.id, providerId: provider.id, provider }] : [],
  )
  return withRelations(first.asset, mappings)
}
