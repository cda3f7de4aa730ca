import { Deleted, type Deps, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../fields/fields'
import { changeCategory, createCategory, deleteCategory } from './categories'
import {
  Category,
  CategoryChanges,
  CategoryPage,
  CategoryQuery,
  CategoryWithRelations,
  NewCategory,
} from './categories.model'
import { getCategory, listCategories } from './read-categories'

/** Spec 1, Endpoints, Categories. */
export function categoryRoutes({ store }: Pick<Deps, 'store'>) {
  const once = idempotent(store)
  return new Elysia({ prefix: '/categories', tags: ['Categories'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createCategory(store, body)), {
      body: NewCategory,
      response: { 201: response(Category) },
      detail: {
        summary: 'Create a category',
        responses: errorResponses({
          409: 'The name is taken, or a request with this Idempotency-Key is still being worked on',
        }),
      },
    })
    .get('/', ({ query }) => listCategories(store, query), {
      query: CategoryQuery,
      response: { 200: response(CategoryPage) },
      detail: { summary: 'List categories with their assets and providers' },
    })
    .get('/:id', ({ params }) => getCategory(store, params.id), {
      params: ById,
      response: { 200: response(CategoryWithRelations) },
      detail: {
        summary: 'Get a category with its assets and providers',
        responses: errorResponses({ 400: 'The category does not exist' }),
      },
    })
    .put('/:id', ({ params, body }) => changeCategory(store, params.id, body), {
      params: ById,
      body: CategoryChanges,
      response: { 200: response(Category) },
      detail: {
        summary: 'Change the given fields of a category',
        responses: errorResponses({
          400: 'A field is not valid, or the category does not exist',
          409: 'The name is taken',
        }),
      },
    })
    .delete(
      '/:id',
      async ({ params }) => {
        await deleteCategory(store, params.id)
        return deleted('Category deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: {
          summary: 'Delete a category that has no assets',
          responses: errorResponses({ 400: 'The category does not exist, or has assets' }),
        },
      },
    )
}
