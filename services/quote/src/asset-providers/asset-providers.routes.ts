import { Deleted, type Deps, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { Credentials } from '../providers/credentials'
import { mapAsset, unmapAsset } from './asset-providers'
import { AssetProvider, AssetProviderPath, NewAssetProvider } from './asset-providers.model'

/** Spec 1, Endpoints, Mappings: providers of single assets. */
export function assetProviderRoutes({ store, credentials }: Pick<Deps, 'store'> & { credentials: Credentials }) {
  const once = idempotent(store)
  return new Elysia({ prefix: '/asset-providers', tags: ['Mappings'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => mapAsset(store, credentials, body)), {
      body: NewAssetProvider,
      response: { 201: response(AssetProvider) },
      detail: {
        summary: 'Have a provider price an asset',
        responses: errorResponses({
          400: 'A field is not valid, the asset or the provider does not exist, or they are mapped already',
        }),
      },
    })
    .delete(
      '/:assetId/providers/:providerId',
      async ({ params }) => {
        await unmapAsset(store, params)
        return deleted('Asset-provider mapping deleted successfully')
      },
      {
        params: AssetProviderPath,
        response: { 200: response(Deleted) },
        detail: {
          summary: 'Have a provider no longer price an asset',
          responses: errorResponses({ 400: 'There is no such mapping' }),
        },
      },
    )
}
