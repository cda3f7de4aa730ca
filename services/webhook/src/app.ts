import { webhookEvents } from '@bursar/contracts/webhook-events'
import { searchRoutes, service } from '@bursar/http'
import { deliveryListRoutes, deliveryRoutes } from './deliveries/deliveries.routes'
import { endpointHealthRoutes } from './deliveries/endpoint-health.routes'
import { replayRoutes } from './deliveries/replay.routes'
import type { WebhookDeps } from './deps'
import { endpointActionRoutes, endpointRoutes, eventTypeRoutes } from './endpoints/endpoints.routes'
import { searchWebhooks } from './search'

/** The webhook service (spec 3, Webhook service): delivers the events of other services to webhook endpoints. */
export const createApp = (deps: WebhookDeps) =>
  service({
    ...deps,
    name: 'webhook',
    description: 'Webhooks: the endpoints that receive them, and the state of every delivery.',
    shape: 'list',
    webhooks: webhookEvents,
    tags: { Deliveries: 'The state of each delivery', Endpoints: 'The receivers of deliveries' },
  })
    .use(eventTypeRoutes())
    .use(deliveryRoutes(deps))
    .use(replayRoutes(deps))
    .use(endpointRoutes(deps))
    .use(endpointActionRoutes(deps))
    .use(deliveryListRoutes(deps))
    .use(endpointHealthRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchWebhooks(deps.store.read, sought)))
