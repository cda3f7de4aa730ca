import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { userOf } from '../pricing/user-of'
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
  const { store, credentials, identity, now } = deps
  const once = idempotent(deps)
  return new Elysia({ tags: ['Mappings'] })
    .post(
      '/asset-providers',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const userId = await userOf(identity, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toMapping(await mapAsset(tx, credentials, body, userId, now()))),
          )
        }),
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
        const userId = await userOf(identity, request)
        await store.commit((tx) => unmapAsset(tx, params, userId, now()))
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
        once({ request, set }, async (reply) => {
          const userId = await userOf(identity, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toMapping(await mapCategory(tx, credentials, body, userId, now()))),
          )
        }),
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
        const userId = await userOf(identity, request)
        await store.commit((tx) => unmapCategory(tx, params, userId, now()))
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
