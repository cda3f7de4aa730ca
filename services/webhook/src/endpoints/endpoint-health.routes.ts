import { parseIsoTime } from '@bursar/contracts/schema'
import { errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { Recover, Replayed } from '../deliveries/deliveries.model'
import { replayFailed } from '../deliveries/replay-failed'
import type { WebhookDeps } from '../deps'
import { fail } from '../errors'
import { scopeOf } from '../scope'
import { figuresOf } from './endpoint-figures'
import { EndpointFigures, FiguresQuery } from './endpoint-figures.model'
import { getEndpoint } from './endpoints'
import { ById } from './endpoints.model'

const dayMs = 24 * 60 * 60 * 1000

/** Ours: how an endpoint does, and what it has missed while it did not. */
export function endpointHealthRoutes(deps: WebhookDeps) {
  const { store, identity, wakes, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/webhooks/endpoints', tags: ['Endpoints'] })
    .get(
      '/:id/figures',
      async ({ params, query, request }) => {
        const endpoint = await getEndpoint(store.read, params.id, await scopeOf(identity, request))
        return await figuresOf(store.read, endpoint, query.since ?? new Date(now().getTime() - dayMs))
      },
      {
        params: ById,
        query: FiguresQuery,
        response: { 200: response(EndpointFigures) },
        detail: { operationId: 'getEndpointFigures', summary: 'Get how an endpoint has done of late' },
      },
    )
    .post(
      '/:id/recover',
      ({ request, set, params, body }) =>
        once({ request, set }, async (reply) => {
          const endpoint = await getEndpoint(store.read, params.id, await scopeOf(identity, request))
          if (endpoint.status === 'disabled') throw fail('ENDPOINT_DISABLED')
          const filter = { since: parseIsoTime(body.since), endpointId: endpoint.id, participantId: undefined }
          const replayed = await replayFailed(deps, filter)
          wakes.wake()
          return await store.commit((tx) => reply(tx, 200, replayed))
        }),
      {
        params: ById,
        body: Recover,
        response: { 200: response(Replayed) },
        detail: {
          operationId: 'recoverEndpoint',
          summary: 'Send an endpoint again what failed at a time or later',
          description:
            'The oldest first, at most 10,000: repeat it while `more` is true. What is under way is left alone, so a ' +
            'repeat sends nothing twice.',
          responses: errorResponses({
            409: 'The endpoint is disabled, or a request with this Idempotency-Key is under way',
          }),
        },
      },
    )
}
