import { t } from '@bursar/contracts/schema'
import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { actorIn } from '../decisions/decisions'
import type { LedgerDeps } from '../deps'
import { changeAsset, createAsset, deleteAsset, getAsset, listAssets, toAsset, toCreatedAsset } from './assets'
import { Asset, AssetChanges, ById, CreatedAsset, NewAsset } from './assets.model'

/** Spec 2, Endpoints, Assets. */
export function assetRoutes(deps: LedgerDeps) {
  const { store, networks } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/assets', tags: ['Assets'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          await networks.requireKnown(body.network, 'network')
          return await store.commit(async (tx) =>
            reply(tx, 201, toCreatedAsset(await createAsset(tx, body, deps.now()))),
          )
        }),
      {
        body: NewAsset,
        response: { 201: response(CreatedAsset) },
        detail: operation('createAsset', 'Create an asset', {
          409: 'The code is taken, or another asset is the same coin of the network',
          503: 'In production: it cannot be asked which networks there are',
        }),
      },
    )
    .get('/', async () => (await listAssets(store.read)).map(toAsset), {
      response: { 200: response(t.Array(Asset)) },
      detail: operation('listAssets', 'List all assets in the order of their creation'),
    })
    .get('/:id', async ({ params }) => toAsset(await getAsset(store.read, params.id)), {
      params: ById,
      response: { 200: response(Asset) },
      detail: operation('getAsset', 'Get an asset'),
    })
    .patch(
      '/:id',
      async ({ request, params, body }) => {
        if (body.blockchain !== undefined) await networks.requireKnown(body.blockchain, 'blockchain')
        const actor = await actorIn(deps, request)
        return toAsset(await store.commit((tx) => changeAsset(tx, params.id, body, { actor, now: deps.now() })))
      },
      {
        params: ById,
        body: AssetChanges,
        response: { 200: response(Asset) },
        detail: operation('changeAsset', 'Change the given fields of an asset', {
          503: 'In production: it cannot be asked which networks there are',
        }),
      },
    )
    .delete(
      '/:id',
      async ({ params }) => {
        await store.commit((tx) => deleteAsset(tx, params.id, deps.now()))
        return deleted('Asset deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: operation('deleteAsset', 'Delete an asset that has no balances or transactions'),
      },
    )
}
