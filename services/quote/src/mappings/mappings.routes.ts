import { Deleted, deleted, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { authored } from '../pricing/author'
import { mapAsset, mapCategory, toMapping, unmapAsset, unmapCategory } from './mappings'
import {
  AssetProvider,
  AssetProviderPath,
  CategoryProvider,
  CategoryProviderPath,
  NewAssetProvider,
  NewCategoryProvider,
} from './mappings.model'

/** Spec 1, Endpoints, Mappings: providers of single assets, and of whole categories. */
export function mappingRoutes(deps: QuoteDeps) {
  const { credentials } = deps
  const { change, create } = authored(deps)
  return new Elysia({ tags: ['Mappings'] })
    .post(
      '/asset-providers',
      ({ request, set, body }) =>
        create({ request, set }, async (tx, by) => toMapping(await mapAsset(tx, credentials, body, by))),
      {
        body: NewAssetProvider,
        response: { 201: response(AssetProvider) },
        detail: operation('mapAssetProvider', 'Map a provider to an asset', {
          400: 'A field is not valid, the asset or the provider does not exist, or the mapping already exists',
        }),
      },
    )
    .delete(
      '/asset-providers/:assetId/providers/:providerId',
      async ({ request, params }) => {
        await change(request, (tx, by) => unmapAsset(tx, params, by))
        return deleted('Asset-provider mapping deleted successfully')
      },
      {
        params: AssetProviderPath,
        response: { 200: response(Deleted) },
        detail: operation('unmapAssetProvider', 'Delete the mapping of a provider to an asset', {
          400: 'The mapping does not exist',
        }),
      },
    )
    .post(
      '/category-providers',
      ({ request, set, body }) =>
        create({ request, set }, async (tx, by) => toMapping(await mapCategory(tx, credentials, body, by))),
      {
        body: NewCategoryProvider,
        response: { 201: response(CategoryProvider) },
        detail: operation('mapCategoryProvider', 'Map a provider to a category', {
          400: 'A field is not valid, the category or the provider does not exist, or the mapping already exists',
        }),
      },
    )
    .delete(
      '/category-providers/:id/category/:categoryId',
      async ({ request, params }) => {
        await change(request, (tx, by) => unmapCategory(tx, params, by))
        return deleted('Category-provider mapping deleted successfully')
      },
      {
        params: CategoryProviderPath,
        response: { 200: response(Deleted) },
        detail: operation('unmapCategoryProvider', 'Delete the mapping of a provider to a category', {
          400: 'The mapping does not exist',
        }),
      },
    )
}
