import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { userOf } from '../pricing/user-of'
import { mapCategory, toCategoryProvider, unmapCategory } from './category-providers'
import { CategoryProvider, CategoryProviderPath, NewCategoryProvider } from './category-providers.model'

/** Spec 1, Endpoints, Mappings: providers of whole categories. */
export function categoryProviderRoutes(deps: QuoteDeps) {
  const { store, credentials, identity } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/category-providers', tags: ['Mappings'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const userId = await userOf(identity, request)
          return await store.commit(async (tx) =>
            reply(tx, 201, toCategoryProvider(await mapCategory(tx, credentials, body, userId, deps.now()))),
          )
        }),
      {
        body: NewCategoryProvider,
        response: { 201: response(CategoryProvider) },
        detail: operation('mapCategoryProvider', 'Map a provider to a category', {
          400: 'A field is not valid, the category or the provider does not exist, or the mapping already exists',
        }),
      },
    )
    .delete(
      '/:id/category/:categoryId',
      async ({ request, params }) => {
        const userId = await userOf(identity, request)
        await store.commit((tx) => unmapCategory(tx, params, userId, deps.now()))
        return deleted('Category-provider mapping deleted successfully')
      },
      {
        params: CategoryProviderPath,
        response: { 200: response(Deleted) },
        detail: operation('unmapCategoryProvider', 'Delete the mapping of a provider to a category', {
          400: 'The mapping does not exist',
        }),
      },
    )
}
