import { operation, response, totalHeader, totalText } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WebhookDeps } from '../deps'
import { scopeOf } from '../scope'
import { getDelivery, toDeliveryEntry } from './deliveries'
import { ByDeliveryId, DeliveriesQuery, DeliveryDetails, DeliveryList } from './deliveries.model'
import { listDeliveries } from './list-deliveries'

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
