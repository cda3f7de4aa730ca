import { page } from '@bursar/http'
import { type OpenStore, remember } from '@bursar/store'
import { catalogueTables, toAssetWithRelations } from './asset-relations'
import type { AssetPage, AssetQuery, AssetWithRelations } from './assets.model'
import { getAsset } from './get-asset'
import { listAssets } from './list-assets'

/** How many assets are kept in memory as callers see them, about a kilobyte each. */
const mostAssets = 10_000
/** How many pages are kept in memory: a hundred of a hundred assets are about ten megabytes. */
const mostPages = 100

/** Gets an asset as GET shows it, from memory unless the catalogue has changed since it was read. */
export const rememberedAssets = (store: OpenStore): ((id: string) => Promise<AssetWithRelations>) =>
  remember(store, { tables: catalogueTables, most: mostAssets }, async (id) =>
    toAssetWithRelations(await getAsset(store.read, id)),
  )

/** Lists assets, a page that was read before from memory unless the catalogue has changed since. */
export function rememberedAssetPages(store: OpenStore): (query: AssetQuery) => Promise<AssetPage> {
  const pages = remember(store, { tables: catalogueTables, most: mostPages }, async (key) => {
    const query: AssetQuery = JSON.parse(key)
    const { rows, total } = await listAssets(store.read, query)
    return page(rows.map(toAssetWithRelations), query, total)
  })
  return ({ name, code, categoryId, limit, offset, sortBy, sortOrder }) =>
    pages(JSON.stringify({ name, code, categoryId, limit, offset, sortBy, sortOrder }))
}
