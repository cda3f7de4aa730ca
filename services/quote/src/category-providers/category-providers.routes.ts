import { Deleted, type Deps, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { Credentials } from '../providers/credentials'
import { mapCategory, unmapCategory } from './category-providers'
import { CategoryProvider, CategoryProviderPath, NewCategoryProvider } from './category-providers.model'

/** Spec 1, Endpoints, Mappings: providers of whole categories. */
export function categoryProviderRoutes({ store, credentials }: Pick<Deps, 'store'> & { credentials: Credentials }) {
  const once = idempotent(store)
  return new Elysia({ prefix: '/category-providers', tags: ['Mappings'] })
    .post(
      '/',
      ({ request, set, body }) => once({ request, set }, 201, (store) => mapCategory(store, credentials, body)),
      {
        body: NewCategoryProvider,
        response: { 201: response(CategoryProvider) },
        detail: {
          summary: 'Have a provider price the assets of a category',
          responses: errorResponses({
            400: 'A field is not valid, the category or the provider does not exist, or they are mapped already',
          }),
        },
      },
    )
    .delete(
      '/:id/category/:categoryId',
      async ({ params }) => {
        await unmapCategory(store, params)
        return deleted('Category-provider mapping deleted successfully')
      },
      {
        params: CategoryProviderPath,
        response: { 200: response(Deleted) },
        detail: {
          summary: 'Have a provider no longer price the assets of a category',
          responses: errorResponses({ 400: 'There is no such mapping' }),
        },
      },
    )
}
