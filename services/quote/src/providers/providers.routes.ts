import { Deleted, type Deps, deleted, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../fields/fields'
import type { Credentials } from './credentials'
import { changeProvider, createProvider, deleteProvider } from './providers'
import {
  NewProvider,
  Provider,
  ProviderChanges,
  ProviderPage,
  ProviderQuery,
  ProviderWithRelations,
} from './providers.model'
import { getProvider, listProviders } from './read-providers'

/** Spec 1, Endpoints, Providers. */
export function providerRoutes({ store, credentials }: Pick<Deps, 'store'> & { credentials: Credentials }) {
  const once = idempotent(store)
  return new Elysia({ prefix: '/providers', tags: ['Providers'] })
    .post(
      '/',
      ({ request, set, body }) => once({ request, set }, 201, (store) => createProvider(store, credentials, body)),
      {
        body: NewProvider,
        response: { 201: response(Provider) },
        detail: {
          summary: 'Create a provider',
          responses: errorResponses({ 400: 'A field is not valid, or the slug is taken' }),
        },
      },
    )
    .get('/', ({ query }) => listProviders(store, query), {
      query: ProviderQuery,
      response: { 200: response(ProviderPage) },
      detail: { summary: 'List providers with what is mapped to them' },
    })
    .get('/:id', ({ params }) => getProvider(store, params.id), {
      params: ById,
      response: { 200: response(ProviderWithRelations) },
      detail: { summary: 'Get a provider with what is mapped to it' },
    })
    .put('/:id', ({ params, body }) => changeProvider(store, credentials, params.id, body), {
      params: ById,
      body: ProviderChanges,
      response: { 200: response(Provider) },
      detail: {
        summary: 'Change the given fields of a provider',
        responses: errorResponses({ 400: 'A field is not valid, or the slug is taken' }),
      },
    })
    .delete(
      '/:id',
      async ({ params }) => {
        await deleteProvider(store, params.id)
        return deleted('Provider deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: {
          summary: 'Delete a provider that has no mappings',
          responses: errorResponses({ 400: 'The id is no UUID, or the provider has active mappings' }),
        },
      },
    )
}
