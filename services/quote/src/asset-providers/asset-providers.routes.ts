import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { userOf } from '../pricing/user-of'
import { mapAsset, toAssetProvider, unmapAsset } from './asset-providers'
import { AssetProvider, AssetProviderPath, NewAssetProvider } from './asset-providers.model'

/** Spec 1, Endpoints, Mappings: providers of single assets. */
export function assetProviderRoutes(deps: QuoteDeps) {
  const { store, credentials, identity } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/asset-providers', tags: ['Mappings'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const userId = await userOf(identity, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toAssetProvider(await mapAsset(tx, credentials, body, userId, deps.now()))),
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
      '/:assetId/providers/:providerId',
      async ({ request, params }) => {
        const userId = await userOf(identity, request)
        await store.commit((tx) => unmapAsset(tx, params, userId, deps.now()))
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
}
