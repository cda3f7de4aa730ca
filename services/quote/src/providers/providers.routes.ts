import { Deleted, deleted, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { QuoteDeps } from '../deps'
import { authored } from '../pricing/author'
import { providerAnswers } from './provider-answers'
import { ProviderAnswers } from './provider-answers.model'
import { changeProvider, createProvider, deleteProvider, toProvider } from './providers'
import {
  ById,
  NewProvider,
  Provider,
  ProviderChanges,
  ProviderPage,
  ProviderQuery,
  ProviderWithRelations,
} from './providers.model'
import { getProviderWithRelations, listProviders } from './read-providers'

/** Spec 1, Endpoints, Providers. */
export function providerRoutes(deps: QuoteDeps) {
  const { store, credentials, answers } = deps
  const { change, create } = authored(deps)
  return new Elysia({ prefix: '/providers', tags: ['Providers'] })
    .post(
      '/',
      ({ request, set, body }) =>
        create({ request, set }, async (tx, by) => toProvider(await createProvider(tx, credentials, body, by))),
      {
        body: NewProvider,
        response: { 201: response(Provider) },
        detail: operation('createProvider', 'Create a provider', { 400: 'A field is not valid, or the slug is taken' }),
      },
    )
    .get('/', ({ query }) => listProviders(store.read, query), {
      query: ProviderQuery,
      response: { 200: response(ProviderPage) },
      detail: operation('listProviders', 'List providers with their mappings'),
    })
    .get('/answers', () => providerAnswers(store.read, answers), {
      response: { 200: response(ProviderAnswers) },
      detail: operation('listProviderAnswers', 'List the last answer of each provider'),
    })
    .get('/:id', ({ params }) => getProviderWithRelations(store.read, params.id), {
      params: ById,
      response: { 200: response(ProviderWithRelations) },
      detail: operation('getProvider', 'Get a provider with its mappings'),
    })
    .put(
      '/:id',
      async ({ request, params, body }) =>
        toProvider(await change(request, (tx, by) => changeProvider(tx, credentials, params.id, body, by))),
      {
        params: ById,
        body: ProviderChanges,
        response: { 200: response(Provider) },
        detail: operation('changeProvider', 'Change the given fields of a provider', {
          400: 'A field is not valid, or the slug is taken',
        }),
      },
    )
    .delete(
      '/:id',
      async ({ request, params }) => {
        await change(request, (tx, by) => deleteProvider(tx, params.id, by))
        return deleted('Provider deleted successfully')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: operation('deleteProvider', 'Delete a provider that has no mappings', {
          400: 'The id is not a UUID, or the provider has active mappings',
        }),
      },
    )
}
