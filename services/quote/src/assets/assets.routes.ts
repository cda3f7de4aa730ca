import { Deleted, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { userOf } from '../pricing/user-of'
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
  const { store, identity } = deps
  const once = idempotent(deps)
  const assetOf = rememberedAssets(store)
  const pageOf = rememberedAssetPages(store)
  async function change(request: Request, id: string, changes: AssetChanges): Promise<Asset> {
    const userId = await userOf(identity, request)
    return toAsset(await store.commit((tx) => changeAsset(tx, id, changes, userId, new Date())))
  }
  return new Elysia({ prefix: '/assets', tags: ['Assets'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const userId = await userOf(identity, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toAsset(await createAsset(tx, body, userId, new Date()))),
          )
        }),
      {
        body: NewAsset,
        response: { 201: response(Asset) },
        detail: {
          operationId: 'createQuoteAsset',
          summary: 'Create an asset',
          responses: errorResponses({
            400: 'A field is not valid, or the code is taken',
            404: 'The category does not exist',
            422: 'staticValue is not above 0, or the Idempotency-Key was used for another request',
          }),
        },
      },
    )
    .get('/', ({ query }) => pageOf(query), {
      query: AssetQuery,
      response: { 200: response(AssetPage) },
      detail: { operationId: 'listQuoteAssets', summary: 'List assets with their category and providers' },
    })
    .get('/:id', ({ params }) => assetOf(params.id), {
      params: ById,
      response: { 200: response(AssetWithRelations) },
      detail: { operationId: 'getQuoteAsset', summary: 'Get an asset with its category and providers' },
    })
    .put('/:id', ({ request, params, body }) => change(request, params.id, body), {
      params: ById,
      body: AssetChanges,
      response: { 200: response(Asset) },
      detail: {
        operationId: 'changeQuoteAsset',
        summary: 'Change the given fields of an asset',
        responses: errorResponses({
          400: 'A field is not valid, or the code is taken',
          404: 'The asset or the category does not exist',
          422: 'staticValue is not above 0',
        }),
      },
    })
    .patch('/:id/static-value', ({ request, params, body }) => change(request, params.id, body), {
      params: ById,
      body: StaticValue,
      response: { 200: response(Asset) },
      detail: {
        operationId: 'setStaticValue',
        summary: 'Set a fixed rate for an asset; null removes it',
        responses: errorResponses({ 422: 'staticValue is not above 0' }),
      },
    })
    .delete(
      '/:id',
      async ({ request, params }) => {
        const userId = await userOf(identity, request)
        await store.commit((tx) => deleteAsset(tx, params.id, userId, new Date()))
        return deleted('Asset deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: {
          operationId: 'deleteQuoteAsset',
          summary: 'Delete an asset that has no rates',
          responses: errorResponses({ 400: 'The id is not a UUID, or the asset has rates' }),
        },
      },
    )
}
