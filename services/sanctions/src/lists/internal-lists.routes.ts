import { ListActivation, ListFailure, ListOrigin, ListState, NewListEntries } from '@bursar/contracts/sanctions'
import { t } from '@bursar/contracts/schema'
import { internalRoutes, response } from '@bursar/http'
import type { SanctionsDeps } from '../deps'
import { addEntries, createDraft, makeCurrent, recordListFailure, toListState } from './lists'

/** A list, by its number. */
export const ByListId = t.Object({ id: t.String({ pattern: '^[0-9]{1,15}$' }) })

/** For the operator's tool (contracts/sanctions.ts): loads a new list into the running service. */
export const internalListRoutes = ({ store, identity, list, now }: SanctionsDeps) =>
  internalRoutes(identity, '/internal/lists')
    .get('/current', async () => toListState((await list.refresh(store)).row), {
      response: { 200: response(ListState) },
    })
    .post(
      '/',
      async ({ body, status }) => status(201, toListState(await store.commit((tx) => createDraft(tx, body, now())))),
      { body: ListOrigin, response: { 201: response(ListState) } },
    )
    .post(
      '/failures',
      async ({ body, status }) => {
        await store.commit((tx) => recordListFailure(tx, body, now()))
        return status(201, body)
      },
      { body: ListFailure, response: { 201: response(ListFailure) } },
    )
    .post(
      '/:id/entries',
      async ({ params, body }) => {
        const { first, entries } = body
        return toListState(await store.commit((tx) => addEntries(tx, Number(params.id), first, entries)))
      },
      { params: ByListId, body: NewListEntries, response: { 200: response(ListState) } },
    )
    .post(
      '/:id/activate',
      async ({ params, body }) => {
        const row = await store.commit((tx) => makeCurrent(tx, Number(params.id), body, now()))
        // Its filter is loaded while requests are served; the next screening uses it.
        await list.refresh(store)
        return toListState(row)
      },
      { params: ByListId, body: ListActivation, response: { 200: response(ListState) } },
    )
