import { answerEach, type Deps, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { customerRecords, getCustomerByExternalId, getCustomerState, toRecord } from './customers'
import { After, ByExternalId, ById, CustomerChanges, CustomerState, CustomerStates, Ids } from './customers.model'

/** Called by other services only (contracts/customer.ts). */
export const internalCustomerRoutes = ({ store, identity }: Deps) =>
  new Elysia({ prefix: '/internal/customers', detail: { hide: true } })
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await customerRecords.pageAfter(store.read, query.after, toRecord)
      },
      { query: After, response: { 200: response(CustomerChanges) } },
    )
    .get(
      '/by-external-id/:externalId',
      async ({ request, params }) => {
        await requireService(identity, request)
        const { id } = await getCustomerByExternalId(store.read, params.externalId)
        return await getCustomerState(store.read, id)
      },
      { params: ByExternalId, response: { 200: response(CustomerState) } },
    )
    .post(
      '/states',
      async ({ request, body }) => {
        await requireService(identity, request)
        return await answerEach(body.items, String, (id) => getCustomerState(store.read, id))
      },
      { body: Ids, response: { 200: response(CustomerStates) } },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await getCustomerState(store.read, params.id)
      },
      { params: ById, response: { 200: response(CustomerState) } },
    )
