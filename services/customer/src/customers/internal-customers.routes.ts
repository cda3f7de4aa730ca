import { batchOf } from '@bursar/contracts/batch'
import { customerChanges, getCustomerState, getCustomerStates } from '@bursar/contracts/customer'
import { t, uuid } from '@bursar/contracts/schema'
import { ChangesQuery, type Deps, internalRoutes, response } from '@bursar/http'
import { customerRecords, customerState, customerStates, getCustomerByExternalId, toRecord } from './customers'
import { ById } from './customers.model'

/** Called by other services only (contracts/customer.ts). */
export const internalCustomerRoutes = ({ store, identity }: Deps) =>
  internalRoutes(identity, '/internal/customers')
    .get('/changes', ({ query }) => customerRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(customerChanges.answer) },
    })
    .get(
      '/by-external-id',
      async ({ query }) => {
        const { id } = await getCustomerByExternalId(store.read, query.externalId)
        return await customerState(store.read, id)
      },
      { query: t.Object({ externalId: t.String() }), response: { 200: response(getCustomerState.answer) } },
    )
    .post('/states', async ({ body }) => ({ items: await customerStates(store.read, body.items) }), {
      body: batchOf(uuid()),
      response: { 200: response(getCustomerStates.answer) },
    })
    .get('/:id', ({ params }) => customerState(store.read, params.id), {
      params: ById,
      response: { 200: response(getCustomerState.answer) },
    })
