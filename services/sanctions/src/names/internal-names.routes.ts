import { ListState, NameToScreen, NewListNames, screenName } from '@bursar/contracts/sanctions'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { SanctionsDeps } from '../deps'
import { ByListId } from '../lists/internal-lists.routes'
import { toListState } from '../lists/lists'
import { addNames, matchingNames } from './names'

/** For the operator's tool and the main API (contracts/sanctions.ts): the names of a list, and screening by name. */
export const internalNameRoutes = ({ store, identity, list }: SanctionsDeps) =>
  new Elysia({ prefix: '/internal', detail: { hide: true } })
    .post(
      '/lists/:id/names',
      async ({ request, params, body }) => {
        await requireService(identity, request)
        const { first, names } = body
        return toListState(await store.commit((tx) => addNames(tx, Number(params.id), first, names)))
      },
      { params: ByListId, body: NewListNames, response: { 200: response(ListState) } },
    )
    .post(
      '/names/screen',
      async ({ request, body }) => {
        await requireService(identity, request)
        const { id, name, publishedAt, names } = list.get().row
        return {
          list: { name, publishedAt: publishedAt.toISOString() },
          listed: names,
          matches: await matchingNames(store.read, id, body.name),
        }
      },
      { body: NameToScreen, response: { 200: response(screenName.answer) } },
    )
