import { Deleted, deleted, errorResponses, idempotent, response } from '@bursar/http'
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
            reply(tx, 201, toCategoryProvider(await mapCategory(tx, credentials, body, userId, new Date()))),
          )
        }),
      {
        body: NewCategoryProvider,
        response: { 201: response(CategoryProvider) },
        detail: {
          operationId: 'mapCategoryProvider',
          summary: 'Map a provider to a category',
          responses: errorResponses({
            400: 'A field is not valid, the category or the provider does not exist, or the mapping already exists',
          }),
        },
      },
    )
    .delete(
      '/:id/category/:categoryId',
      async ({ request, params }) => {
        const userId = await userOf(identity, request)
        await store.commit((tx) => unmapCategory(tx, params, userId, new Date()))
        return deleted('Category-provider mapping deleted successfully')
      },
      {
        params: CategoryProviderPath,
        response: { 200: response(Deleted) },
        detail: {
          operationId: 'unmapCategoryProvider',
          summary: 'Delete the mapping of a provider to a category',
          responses: errorResponses({ 400: 'The mapping does not exist' }),
        },
      },
    )
}
