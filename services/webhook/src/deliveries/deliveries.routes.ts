import { t } from '@bursar/contracts/schema'
import { countedArray, operation, response, totalHeader, totalText } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WebhookDeps } from '../deps'
import { getEndpoint } from '../endpoints/endpoints'
import { ById } from '../endpoints/endpoints.model'
import { scopeOf } from '../scope'
import { readAttempts, toAttempt } from './attempts'
import { getDelivery, toDelivery, toDeliveryEntry } from './deliveries'
import {
  Attempt,
  ByDeliveryId,
  ByRequestId,
  Deliveries,
  DeliveriesQuery,
  Delivery,
  DeliveryDetails,
  DeliveryList,
  EndpointDeliveriesQuery,
  LimitedDeliveries,
  LimitQuery,
} from './deliveries.model'
import {
  deliveriesOfEndpoint,
  deliveryOfRequest,
  failedDeliveries,
  listDeliveries,
  readPending,
} from './read-deliveries'

/** Spec 3, Endpoints, Webhook service; and ours: one delivery, its attempts, an endpoint's deliveries. */
export const deliveryRoutes = ({ store, identity, log }: WebhookDeps) =>
  new Elysia({ prefix: '/webhooks', tags: ['Deliveries'] })
    .get(
      '/delivery/status/:requestId',
      async ({ params, request }) => {
        const scope = await scopeOf(identity, request)
        return toDelivery(await deliveryOfRequest(store.read, params.requestId, scope), scope)
      },
      {
        params: ByRequestId,
        response: { 200: response(Delivery) },
        detail: operation('getDeliveryStatus', 'Get the delivery for a request', {
          description: 'The id of a job, message or event. Of several deliveries a failed one, else a pending one.',
          404: 'There is no delivery for the request id',
        }),
      },
    )
    .get(
      '/delivery/failed',
      async ({ query: { limit }, request }) => {
        const scope = await scopeOf(identity, request)
        const rows = await failedDeliveries(store.read, scope, limit)
        return { count: rows.length, limit, deliveries: rows.map((row) => toDelivery(row, scope)) }
      },
      {
        query: LimitQuery,
        response: { 200: response(LimitedDeliveries) },
        detail: operation('listFailedDeliveries', 'List failed deliveries, the latest failure first'),
      },
    )
    .get(
      '/delivery/pending-retries',
      async ({ request }) => countedArray('deliveries', readPending(store.read, await scopeOf(identity, request)), log),
      {
        response: { 200: response(Deliveries) },
        detail: operation('listPendingDeliveries', 'List all pending deliveries, oldest first'),
      },
    )
    .get(
      '/delivery/:deliveryId',
      async ({ params, request }) => {
        const scope = await scopeOf(identity, request)
        return toDelivery(await getDelivery(store.read, params.deliveryId, scope), scope)
      },
      {
        params: ByDeliveryId,
        response: { 200: response(Delivery) },
        detail: operation('getDelivery', 'Get a delivery'),
      },
    )
    .get(
      '/delivery/:deliveryId/attempts',
      async ({ params, query, request }) => {
        const scope = await scopeOf(identity, request)
        const delivery = await getDelivery(store.read, params.deliveryId, scope)
        return (await readAttempts(store.read, delivery.id, query.limit)).map((row) => toAttempt(row, delivery, scope))
      },
      {
        params: ByDeliveryId,
        query: LimitQuery,
        response: { 200: response(t.Array(Attempt)) },
        detail: operation('listDeliveryAttempts', 'List a delivery’s attempts, newest first'),
      },
    )
    .get(
      '/endpoints/:id/deliveries',
      async ({ params, query, request }) => {
        const scope = await scopeOf(identity, request)
        const { id } = await getEndpoint(store.read, params.id, scope)
        const rows = await deliveriesOfEndpoint(store.read, id, query)
        return { count: rows.length, limit: query.limit, deliveries: rows.map((row) => toDelivery(row, scope)) }
      },
      {
        params: ById,
        query: EndpointDeliveriesQuery,
        response: { 200: response(LimitedDeliveries) },
        detail: operation('listEndpointDeliveries', 'List an endpoint’s deliveries, newest first', {
          description:
            'Only those created from `since` to `until`. For the next page, `before` is the last deliveryId.',
        }),
      },
    )

/** Not in the specification: deliveries for the console. */
export const deliveryListRoutes = ({ store, identity }: Pick<WebhookDeps, 'store' | 'identity'>) =>
  new Elysia({ prefix: '/webhooks/deliveries', tags: ['Deliveries'] })
    .get(
      '/',
      async ({ query, request, set }) => {
        const scope = await scopeOf(identity, request)
        const { rows, total } = await listDeliveries(store.read, query, scope)
        if (total !== null) set.headers[totalHeader] = totalText(total)
        return { count: rows.length, limit: query.limit, deliveries: rows.map((row) => toDeliveryEntry(row, scope)) }
      },
      {
        query: DeliveriesQuery,
        response: { 200: response(DeliveryList) },
        detail: operation('listDeliveries', 'List deliveries by their endpoint, state, event, resource and time', {
          description: 'Newest first by default. For the next page, `after` is the last deliveryId.',
        }),
      },
    )
    .get(
      '/:deliveryId',
      async ({ params, request }) => {
        const scope = await scopeOf(identity, request)
        const row = await getDelivery(store.read, params.deliveryId, scope)
        return { ...toDeliveryEntry(row, scope), body: row.body }
      },
      {
        params: ByDeliveryId,
        response: { 200: response(DeliveryDetails) },
        detail: operation('getDeliveryDetails', 'Get a delivery with what is sent'),
      },
    )
