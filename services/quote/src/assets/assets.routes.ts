import { Deleted, deleted, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { authored } from '../pricing/author'
import { changeAsset, createAsset, deleteAsset, toAsset } from './assets'
import {
  Asset,
  AssetChanges,
  AssetPage,
  AssetQuery,
  AssetWithRelations,
  ById,
  NewAsset,
  StaticValue,
} from './assets.model'
import { rememberedAssetPages, rememberedAssets } from './remembered-assets'

/** Spec 1, Endpoints, Assets. */
export function assetRoutes(deps: QuoteDeps) {
  const assetOf = rememberedAssets(deps.store)
  const pageOf = rememberedAssetPages(deps.store)
  const { change, create } = authored(deps)
  const update = async (request: Request, id: string, changes: AssetChanges): Promise<Asset> =>
    toAsset(await change(request, (tx, by) => changeAsset(tx, id, changes, by)))
  return new Elysia({ prefix: '/assets', tags: ['Assets'] })
    .post(
      '/',
      ({ request, set, body }) => create({ request, set }, async (tx, by) => toAsset(await createAsset(tx, body, by))),
      {
        body: NewAsset,
        response: { 201: response(Asset) },
        detail: operation('createQuoteAsset', 'Create an asset', {
          400: 'A field is not valid, or the code is taken',
          404: 'The category does not exist',
          422: 'staticValue is not above 0, or the Idempotency-Key was used for another request',
        }),
      },
    )
    .get('/', ({ query }) => pageOf(query), {
      query: AssetQuery,
      response: { 200: response(AssetPage) },
      detail: operation('listQuoteAssets', 'List assets with their category and providers'),
    })
    .get('/:id', ({ params }) => assetOf(params.id), {
      params: ById,
      response: { 200: response(AssetWithRelations) },
      detail: operation('getQuoteAsset', 'Get an asset with its category and providers'),
    })
    .put('/:id', ({ request, params, body }) => update(request, params.id, body), {
      params: ById,
      body: AssetChanges,
      response: { 200: response(Asset) },
      detail: operation('changeQuoteAsset', 'Change the given fields of an asset', {
        400: 'A field is not valid, or the code is taken',
        404: 'The asset or the category does not exist',
        422: 'staticValue is not above 0',
      }),
    })
    .patch('/:id/static-value', ({ request, params, body }) => update(request, params.id, body), {
      params: ById,
      body: StaticValue,
      response: { 200: response(Asset) },
      detail: operation('setStaticValue', 'Set a fixed rate for an asset; null removes it', {
        422: 'staticValue is not above 0',
      }),
    })
    .delete(
      '/:id',
      async ({ request, params }) => {
        await change(request, (tx, by) => deleteAsset(tx, params.id, by))
        return deleted('Asset deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: operation('deleteQuoteAsset', 'Delete an asset that has no rates', {
          400: 'The id is not a UUID, or the asset has rates',
        }),
      },
    )
}
