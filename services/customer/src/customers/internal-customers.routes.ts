import { ChangesQuery, type Deps, internalRoutes, response } from '@bursar/http'
import { customerRecords, getCustomerByExternalId, getCustomerState, getCustomerStates, toRecord } from './customers'
import { ByExternalId, ById, CustomerChanges, CustomerState, CustomerStates, Ids } from './customers.model'

/** Called by other services only (contracts/customer.ts). */
export const internalCustomerRoutes = ({ store, identity }: Deps) =>
  internalRoutes(identity, '/internal/customers')
    .get('/changes', ({ query }) => customerRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(CustomerChanges) },
    })
    .get(
      '/by-external-id',
      async ({ query }) => {
        const { id } = await getCustomerByExternalId(store.read, query.externalId)
        return await getCustomerState(store.read, id)
      },
      { query: ByExternalId, response: { 200: response(CustomerState) } },
    )
    .post('/states', async ({ body }) => ({ items: await getCustomerStates(store.read, body.items) }), {
      body: Ids,
      response: { 200: response(CustomerStates) },
    })
    .get('/:id', ({ params }) => getCustomerState(store.read, params.id), {
      params: ById,
      response: { 200: response(CustomerState) },
    })
