import { type OpenStore, remember } from '@bursar/store'
import { catalogueTables, getAsset } from './asset-relations'
import type { AssetPage, AssetQuery, AssetWithRelations } from './assets.model'
import { listAssets } from './list-assets'

/** The maximum number of cached assets, about a kilobyte each. */
const mostAssets = 10_000
/** The maximum number of cached pages: a hundred pages of a hundred assets are about ten megabytes. */
const mostPages = 100

/** Gets an asset as GET returns it, from the cache unless the catalogue has changed since. */
export const rememberedAssets = (store: OpenStore): ((id: string) => Promise<AssetWithRelations>) =>
  remember(store, { tables: catalogueTables, most: mostAssets }, (id) => getAsset(store.read, id))

/** Lists assets, from the cache when the page was read before and the catalogue has not changed since. */
export function rememberedAssetPages(store: OpenStore): (query: AssetQuery) => Promise<AssetPage> {
  const pages = remember(store, { tables: catalogueTables, most: mostPages }, (key) =>
    listAssets(store.read, JSON.parse(key)),
  )
  return ({ name, code, categoryId, limit, offset, sortBy, sortOrder }) =>
    pages(JSON.stringify({ name, code, categoryId, limit, offset, sortBy, sortOrder }))
}
