import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
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
    return toAsset(await store.commit((tx) => changeAsset(tx, id, changes, userId, deps.now())))
  }
  return new Elysia({ prefix: '/assets', tags: ['Assets'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const userId = await userOf(identity, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toAsset(await createAsset(tx, body, userId, deps.now()))),
          )
        }),
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
    .put('/:id', ({ request, params, body }) => change(request, params.id, body), {
      params: ById,
      body: AssetChanges,
      response: { 200: response(Asset) },
      detail: operation('changeQuoteAsset', 'Change the given fields of an asset', {
        400: 'A field is not valid, or the code is taken',
        404: 'The asset or the category does not exist',
        422: 'staticValue is not above 0',
      }),
    })
    .patch('/:id/static-value', ({ request, params, body }) => change(request, params.id, body), {
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
        const userId = await userOf(identity, request)
        await store.commit((tx) => deleteAsset(tx, params.id, userId, deps.now()))
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
