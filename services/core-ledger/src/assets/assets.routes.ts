import { t } from '@bursar/contracts/schema'
import { Deleted, type Deps, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../fields/fields'
import { changeAsset, createAsset, deleteAsset, getAsset, listAssets } from './assets'
import { Asset, AssetChanges, CreatedAsset, NewAsset } from './assets.model'

/** Spec 2, Endpoints, Assets. */
export function assetRoutes({ store }: Pick<Deps, 'store'>) {
  const once = idempotent(store)
  return new Elysia({ prefix: '/assets', tags: ['Assets'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createAsset(store, body)), {
      body: NewAsset,
      response: { 201: response(CreatedAsset) },
      detail: { summary: 'Create an asset', responses: errorResponses({ 409: 'The code is taken' }) },
    })
    .get('/', () => listAssets(store), {
      response: { 200: response(t.Array(Asset)) },
      detail: { summary: 'List all assets in the order of their creation' },
    })
    .get('/:id', ({ params }) => getAsset(store, params.id), {
      params: ById,
      response: { 200: response(Asset) },
      detail: { summary: 'Get an asset' },
    })
    .patch('/:id', ({ params, body }) => changeAsset(store, params.id, body), {
      params: ById,
      body: AssetChanges,
      response: { 200: response(Asset) },
      detail: { summary: 'Change the given fields of an asset' },
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
        detail: { summary: 'Delete an asset that has no balances or transactions' },
      },
    )
}
