import { idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WebhookDeps } from '../deps'
import { scopeOf } from '../scope'
import { enableEndpoint, rotateSecret } from './endpoint-actions'
import { getEndpoint, toEndpoint } from './endpoints'
import { ById, Endpoint, EndpointWithSecret } from './endpoints.model'
import { newSecret } from './secrets'

/** Not in the specification: actions on an endpoint. */
export function endpointActionRoutes(deps: WebhookDeps) {
  const { store, identity, secrets, queue, wakes, now } = deps
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
        detail: operation('rotateEndpointSecret', 'Give an endpoint a new secret', {
          description: 'For 24 hours deliveries are also signed with the previous secret.',
        }),
      },
    )
    .post(
      '/:id/enable',
      ({ request, set, params }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const answer = await store.commit(async (tx) => {
            const row = await enableEndpoint(tx, await getEndpoint(tx, params.id, scope), { queue, now: now() })
            return await reply(tx, 200, toEndpoint(row))
          })
          wakes.wake()
          return answer
        }),
      {
        params: ById,
        response: { 200: response(Endpoint) },
        detail: operation('enableEndpoint', 'Enable an endpoint again', {
          description:
            'Also ends the pause after failures. Deliveries that failed meanwhile are not sent: replay them.',
        }),
      },
    )
}
