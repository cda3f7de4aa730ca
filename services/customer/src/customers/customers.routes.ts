import { t } from '@bursar/contracts/schema'
import { type Deps, errorResponses, foreverForServices, idempotent, jsonArray, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { customerAddresses } from '../accounts/addresses'
import { changeCustomer, createCustomer, getCustomer, readCustomers } from './customers'
import { ById, Customer, CustomerQuery, NewCustomer, StatusChange } from './customers.model'

/** Spec 3, Endpoints, Customer service. DELETE is no route: every path that has a method answers others with 405. */
export function customerRoutes({ store, identity, client }: Deps) {
  const once = idempotent(store, { keep: foreverForServices(identity) })
  return new Elysia({ prefix: '/customers', tags: ['Customers'] })
    .post('/', ({ request, set, body }) => once({ request, set }, 201, (store) => createCustomer(store, body)), {
      body: NewCustomer,
      response: { 201: response(Customer) },
      detail: {
        summary: 'Create a customer',
        responses: errorResponses({
          409: 'The externalId is taken, or a request with this Idempotency-Key is under way',
        }),
      },
    })
    .get('/', ({ query }) => jsonArray(readCustomers(store, query)), {
      query: CustomerQuery,
      response: { 200: response(t.Array(Customer)) },
      detail: { summary: 'List all customers, oldest first' },
    })
    .get('/:id', ({ params }) => getCustomer(store, params.id), {
      params: ById,
      response: { 200: response(Customer) },
      detail: { summary: 'Get a customer' },
    })
    .put('/:id', ({ params, body }) => changeCustomer(store, params.id, body), {
      params: ById,
      body: StatusChange,
      response: { 200: response(Customer) },
      detail: { summary: 'Set the status of a customer' },
    })
    .get('/:id/accounts/addresses', ({ params }) => customerAddresses(store, client, params.id), {
      params: ById,
      response: { 200: response(t.Array(t.String())) },
      detail: {
        summary: 'List the addresses of all accounts of a customer',
        responses: errorResponses({
          502: 'Another service gave an answer that cannot be used',
          503: 'The account service or the wallet service cannot be reached',
          504: 'The account service or the wallet service did not answer in time',
        }),
      },
    })
}
