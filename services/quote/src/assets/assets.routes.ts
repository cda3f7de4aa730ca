import { Deleted, type Deps, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../fields/fields'
import { changeAsset, createAsset, deleteAsset } from './assets'
import { Asset, AssetChanges, AssetPage, AssetQuery, AssetWithRelations, NewAsset, StaticValue } from './assets.model'
import { rememberedAssets } from './get-asset'
import { rememberedAssetPages } from './list-assets'

/** Spec 1, Endpoints, Assets. */
export function assetRoutes({ store }: Pick<Deps, 'store'>) {
  const once = idempotent(store)
  const assetOf = rememberedAssets(store)
  const pageOf = rememberedAssetPages(store)
  return new Elysia({ prefix: '/assets', tags: ['Assets'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createAsset(store, body)), {
      body: NewAsset,
      response: { 201: response(Asset) },
      detail: {
        summary: 'Create an asset',
        responses: errorResponses({
          400: 'A field is not valid, or the code is taken',
          404: 'The category does not exist',
          422: 'staticValue is not above 0, or the Idempotency-Key was used for another request',
        }),
      },
    })
    .get('/', ({ query }) => pageOf(query), {
      query: AssetQuery,
      response: { 200: response(AssetPage) },
      detail: { summary: 'List assets with their category and providers' },
    })
    .get('/:id', ({ params }) => assetOf(params.id), {
      params: ById,
      response: { 200: response(AssetWithRelations) },
      detail: { summary: 'Get an asset with its category and providers' },
    })
    .put('/:id', ({ params, body }) => changeAsset(store, params.id, body), {
      params: ById,
      body: AssetChanges,
      response: { 200: response(Asset) },
      detail: {
        summary: 'Change the given fields of an asset',
        responses: errorResponses({
          400: 'A field is not valid, or the code is taken',
          404: 'The asset or the category does not exist',
          422: 'staticValue is not above 0',
        }),
      },
    })
    .patch('/:id/static-value', ({ params, body }) => changeAsset(store, params.id, body), {
      params: ById,
      body: StaticValue,
      response: { 200: response(Asset) },
      detail: {
        summary: 'Fix the rate of an asset, or with null have it priced by providers again',
        responses: errorResponses({ 422: 'staticValue is not above 0' }),
      },
    })
    .delete(
      '/:id',
      async ({ params }) => {
        await deleteAsset(store, params.id)
        return deleted('Asset deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: {
          summary: 'Delete an asset that has no rates',
          responses: errorResponses({ 400: 'The id is no UUID, or the asset has rates' }),
        },
      },
    )
}
