import { Deleted, deleted, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { changeCategory, createCategory, deleteCategory, toCategory } from './categories'
import {
  ById,
  Category,
  CategoryChanges,
  CategoryPage,
  CategoryQuery,
  CategoryWithRelations,
  NewCategory,
} from './categories.model'
import { getCategoryWithRelations, listCategories } from './read-categories'

/** Spec 1, Endpoints, Categories. */
export function categoryRoutes(deps: QuoteDeps) {
  const { store } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/categories', tags: ['Categories'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => reply(tx, 201, toCategory(await createCategory(tx, body, deps.now())))),
        ),
      {
        body: NewCategory,
        response: { 201: response(Category) },
        detail: operation('createCategory', 'Create a category', {
          409: 'The name is taken, or a request with this Idempotency-Key is under way',
        }),
      },
    )
    .get('/', ({ query }) => listCategories(store.read, query), {
      query: CategoryQuery,
      response: { 200: response(CategoryPage) },
      detail: operation('listCategories', 'List categories with their assets and providers'),
    })
    .get('/:id', ({ params }) => getCategoryWithRelations(store.read, params.id), {
      params: ById,
      response: { 200: response(CategoryWithRelations) },
      detail: operation('getCategory', 'Get a category with its assets and providers', {
        400: 'The category does not exist',
      }),
    })
    .put(
      '/:id',
      async ({ params, body }) =>
        toCategory(await store.commit((tx) => changeCategory(tx, params.id, body, deps.now()))),
      {
        params: ById,
        body: CategoryChanges,
        response: { 200: response(Category) },
        detail: operation('changeCategory', 'Change the given fields of a category', {
          400: 'A field is not valid, or the category does not exist',
          409: 'The name is taken',
        }),
      },
    )
    .delete(
      '/:id',
      async ({ params }) => {
        await store.commit((tx) => deleteCategory(tx, params.id, deps.now()))
        return deleted('Category deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: operation('deleteCategory', 'Delete a category that has no assets', {
          400: 'The category does not exist, or has assets',
        }),
      },
    )
}
