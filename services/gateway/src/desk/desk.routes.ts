import { t } from '@bursar/contracts/schema'
import { Deleted, deleted, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { readers } from '../access/rules'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { ById, NewView, PreferencesModel, View, ViewsQuery } from './desk.model'
import { preferencesOf, putPreferences } from './preferences'
import { addView, deleteView, type ViewRow, viewsFor } from './saved-views'

const toView = ({ id, name, query, ownerId, isShared }: ViewRow) => ({ id, name, query, ownerId, isShared })

/** A person's settings of the console: preferences, and saved views of lists. */
export function deskRoutes(deps: GatewayDeps) {
  const { store, now } = deps
  return new Elysia({ prefix: '/console/api/desk', detail: { hide: true } })
    .get(
      '/preferences',
      async ({ request }) => {
        const { caller } = await requireCounted(deps, request)
        return await preferencesOf(store.read, caller.subject)
      },
      { response: { 200: response(PreferencesModel) } },
    )
    .put(
      '/preferences',
      async ({ request, body }) => {
        const { caller } = await requireCounted(deps, request)
        await store.commit((tx) => putPreferences(tx, caller.subject, body, now()))
        return body
      },
      { body: PreferencesModel, response: { 200: response(PreferencesModel) } },
    )
    .get(
      '/views',
      async ({ request, query }) => {
        const { caller } = await requireCounted(deps, request, readers)
        return (await viewsFor(store.read, query.page, caller.subject)).map(toView)
      },
      { query: ViewsQuery, response: { 200: response(t.Array(View)) } },
    )
    .post(
      '/views',
      async ({ request, set, body }) => {
        const { caller } = await requireCounted(deps, request, readers)
        set.status = 201
        return toView(await store.commit((tx) => addView(tx, caller.subject, body, now())))
      },
      { body: NewView, response: { 201: response(View) } },
    )
    .delete(
      '/views/:id',
      async ({ request, params }) => {
        const { caller } = await requireCounted(deps, request, readers)
        const isAdmin = caller.roles.includes('admin')
        await store.commit((tx) => deleteView(tx, params.id.toLowerCase(), caller.subject, isAdmin))
        return deleted('The saved view is deleted')
      },
      { params: ById, response: { 200: response(Deleted) } },
    )
}
