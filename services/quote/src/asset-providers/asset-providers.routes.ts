import { Deleted, deleted, errorResponses, idempotent, response } from '@bursar/http'
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
            reply(tx, 201, toAssetProvider(await mapAsset(tx, credentials, body, userId, new Date()))),
          )
        }),
      {
        body: NewAssetProvider,
        response: { 201: response(AssetProvider) },
        detail: {
          operationId: 'mapAssetProvider',
          summary: 'Map a provider to an asset',
          responses: errorResponses({
            400: 'A field is not valid, the asset or the provider does not exist, or the mapping already exists',
          }),
        },
      },
    )
    .delete(
      '/:assetId/providers/:providerId',
      async ({ request, params }) => {
        const userId = await userOf(identity, request)
        await store.commit((tx) => unmapAsset(tx, params, userId, new Date()))
        return deleted('Asset-provider mapping deleted successfully')
      },
      {
        params: AssetProviderPath,
        response: { 200: response(Deleted) },
        detail: {
          operationId: 'unmapAssetProvider',
          summary: 'Delete the mapping of a provider to an asset',
          responses: errorResponses({ 400: 'The mapping does not exist' }),
        },
      },
    )
}
