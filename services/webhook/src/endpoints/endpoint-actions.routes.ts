import { errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { toDelivery } from '../deliveries/deliveries'
import { Delivery } from '../deliveries/deliveries.model'
import type { WebhookDeps } from '../deps'
import { scopeOf } from '../scope'
import { enableEndpoint, rotateSecret, testEndpoint } from './endpoint-actions'
import { getEndpoint, toEndpoint } from './endpoints'
import { ById, Endpoint, EndpointWithSecret } from './endpoints.model'
import { newSecret } from './secrets'

/** Ours: what else can be done to an endpoint. */
export function endpointActionRoutes(deps: WebhookDeps) {
  const { store, identity, secrets, config, wakes, now } = deps
  const once = idempotent(deps, { seal: secrets })
  return new Elysia({ prefix: '/webhooks/endpoints', tags: ['Endpoints'] })
    .post(
      '/:id/rotate-secret',
      ({ request, set, params }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const secret = newSecret()
          return await store.commit(async (tx) => {
            const row = await getEndpoint(tx, params.id, scope)
            const rotated = await rotateSecret(tx, row, secrets.seal(secret, row.id), now())
            return await reply(tx, 200, { ...toEndpoint(rotated), secret })
          })
        }),
      {
        params: ById,
        response: { 200: response(EndpointWithSecret) },
        detail: {
          operationId: 'rotateEndpointSecret',
          summary: 'Give an endpoint a new secret',
          description: 'Deliveries are signed with the secret before as well for 24 hours.',
        },
      },
    )
    .post(
      '/:id/enable',
      ({ request, set, params }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const answer = await store.commit(async (tx) => {
            const row = await enableEndpoint(tx, await getEndpoint(tx, params.id, scope), now())
            return await reply(tx, 200, toEndpoint(row))
          })
          wakes.wake()
          return answer
        }),
      {
        params: ById,
        response: { 200: response(Endpoint) },
        detail: {
          operationId: 'enableEndpoint',
          summary: 'Enable an endpoint again',
          description:
            'Ends the pause after its failures, too. Deliveries that failed meanwhile are not sent by this: replay them.',
        },
      },
    )
    .post(
      '/:id/test',
      ({ request, set, params }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const answer = await store.commit(async (tx) => {
            const row = await getEndpoint(tx, params.id, scope)
            return await reply(tx, 201, toDelivery(await testEndpoint(tx, row, config.retryDelaysMs.length, now())))
          })
          wakes.wake()
          return answer
        }),
      {
        params: ById,
        response: { 201: response(Delivery) },
        detail: {
          operationId: 'testEndpoint',
          summary: 'Send a test delivery to an endpoint',
          description: 'Of type `webhook.test`, whatever types the endpoint takes.',
          responses: errorResponses({
            409: 'The endpoint is disabled, its institution was offboarded or deleted, or a request with this Idempotency-Key is under way',
          }),
        },
      },
    )
}
