import { t } from '@bursar/contracts/schema'
import {
  actorOf,
  callingParticipant,
  csvAnswer,
  csvResponse,
  type Deps,
  failuresOf,
  idempotent,
  jsonArray,
  operation,
  response,
  totalHeader,
  totalText,
} from '@bursar/http'
import { Elysia } from 'elysia'
import { customerAddresses } from './addresses'
import { changeCustomer, createCustomer, customerHistory, getCustomer, toCustomer } from './customers'
import {
  ById,
  Customer,
  CustomerHistory,
  CustomerQuery,
  ExportQuery,
  NewCustomer,
  StatusChange,
} from './customers.model'
import { customerColumns, customerList } from './list-customers'

/** Spec 3, Endpoints, Customer service. DELETE is answered with 405, like any method that a path does not support. */
export function customerRoutes(deps: Deps) {
  const { store, identity, log } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/customers', tags: ['Customers'] })
    .post(
      '/',
      async ({ request, set, body }) => {
        const participantId = await callingParticipant(deps, request)
        return await once({ request, set }, (reply) =>
          store.commit(async (tx) =>
            reply(tx, 201, toCustomer(await createCustomer(tx, { ...body, participantId }, deps.now()))),
          ),
        )
      },
      {
        body: NewCustomer,
        response: { 201: response(Customer) },
        detail: operation('createCustomer', 'Create a customer; a participant that calls becomes its owner', {
          401: 'The API key in X-API-KEY belongs to no participant',
          409: 'The externalId is taken, or a request with this Idempotency-Key is under way',
          ...failuresOf('The participant service'),
        }),
      },
    )
    .get(
      '/',
      async ({ query, set }) => {
        if (query.count) set.headers[totalHeader] = totalText(await customerList.count(store.read, query))
        return await jsonArray(customerList.chunks(store.read, query, query, 500), log)
      },
      {
        query: CustomerQuery,
        response: { 200: response(t.Array(Customer)) },
        detail: operation('listCustomers', 'List the customers that match the filters, oldest first'),
      },
    )
    .get(
      '/export',
      ({ query }) => {
        const chunks = customerList.chunks(store.read, query, query, 500)
        return csvResponse({ name: 'customers', columns: customerColumns, chunks, log })
      },
      {
        query: ExportQuery,
        detail: operation('exportCustomers', 'Export the customers that match the filters as CSV', {
          responses: csvAnswer('id,externalId,status\r\n01900000-0000-7000-8000-000000000201,alpine-foods,active'),
        }),
      },
    )
    .get('/:id', async ({ params }) => toCustomer(await getCustomer(store.read, params.id)), {
      params: ById,
      response: { 200: response(Customer) },
      detail: operation('getCustomer', 'Get a customer'),
    })
    .put(
      '/:id',
      async ({ params: { id }, body: { status, statusReason: reason = null }, request }) => {
        const change = { id, status, reason, actor: await actorOf(identity, request) }
        return toCustomer(await store.commit((tx) => changeCustomer(tx, change, deps.now())))
      },
      {
        params: ById,
        body: StatusChange,
        response: { 200: response(Customer) },
        detail: operation('changeCustomer', 'Set the status of a customer'),
      },
    )
}

/** What belongs to a customer: its history, which is not in the specification, and its accounts' addresses. */
export const customerPartRoutes = ({ store, client }: Deps) =>
  new Elysia({ prefix: '/customers', tags: ['Customers'] })
    .get(
      '/:id/accounts/addresses',
      ({ params, request }) => customerAddresses(store.read, client, params.id, request.signal),
      {
        params: ById,
        response: { 200: response(t.Array(t.String())) },
        detail: operation(
          'listCustomerAddresses',
          'List the addresses of all accounts of a customer',
          failuresOf('The account service or the wallet service'),
        ),
      },
    )
    .get(
      '/:id/history',
      async ({ params: { id } }) => {
        await getCustomer(store.read, id)
        return await customerHistory.of(store.read, id)
      },
      {
        params: ById,
        response: { 200: response(CustomerHistory) },
        detail: operation('listCustomerHistory', 'List the changes of a customer’s status, oldest first'),
      },
    )
