import { t } from '@bursar/contracts/schema'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { EventType } from './endpoints.model'

/** Through JSON text, which drops TypeBox's symbols. */
const catalogue = webhookEvents.map(({ type, description, body }) => ({
  type,
  description,
  schema: JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
}))

/** Not in the specification: the types that endpoints can subscribe to (decisions, Event types of webhooks). */
export const eventTypeRoutes = () =>
  new Elysia({ prefix: '/webhooks/event-types', tags: ['Endpoints'] }).get('/', () => catalogue, {
    response: { 200: response(t.Array(EventType)) },
    detail: operation('listEventTypes', 'List the types of events, each with the schema of its body'),
  })
