import { parseIsoTime, t } from '@bursar/contracts/schema'
import { idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WebhookDeps } from '../deps'
import { endpointRows, getEndpoint } from '../endpoints/endpoints'
import { ById } from '../endpoints/endpoints.model'
import { fail } from '../errors'
import { isIn, scopeOf } from '../scope'
import { toDelivery } from './deliveries'
import { Delivery, Recover, Replayed, TestDelivery } from './deliveries.model'
import { figuresOf } from './endpoint-figures'
import { EndpointFigures, FiguresQuery, ManyFiguresQuery } from './endpoint-figures.model'
import { replayFailed } from './replay.routes'
import { testEndpoint } from './test-delivery'

const dayMs = 24 * 60 * 60 * 1000

/** Not in the specification: an endpoint's figures, replay of its failed deliveries, and a test. */
export function endpointHealthRoutes(deps: WebhookDeps) {
  const { store, identity, schedule, queue, wakes, now } = deps
  const once = idempotent(deps)
  const aDayAgo = () => new Date(now().getTime() - dayMs)
  return new Elysia({ prefix: '/webhooks/endpoints', tags: ['Endpoints'] })
    .get(
      '/figures',
      async ({ query, request }) => {
        const scope = await scopeOf(identity, request)
        const found = (await endpointRows(store.read, query.ids)).filter((row) => isIn(scope, row))
        const ids = found.map(({ id }) => id)
        return await figuresOf(store.read, ids, query.since ?? aDayAgo())
      },
      {
        query: ManyFiguresQuery,
        response: { 200: response(t.Array(EndpointFigures)) },
        detail: operation('listEndpointFigures', 'Get how several endpoints have done of late', {
          description: 'At most 25: `ids=a&ids=b`, or `ids=a,b`. Unknown ones are left out.',
        }),
      },
    )
    .get(
      '/:id/figures',
      async ({ params, query, request }) => {
        const endpoint = await getEndpoint(store.read, params.id, await scopeOf(identity, request))
        const [figures] = await figuresOf(store.read, [endpoint.id], query.since ?? aDayAgo())
        return figures as EndpointFigures
      },
      {
        params: ById,
        query: FiguresQuery,
        response: { 200: response(EndpointFigures) },
        detail: operation('getEndpointFigures', 'Get how an endpoint has done of late'),
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
        detail: operation('recoverEndpoint', 'Send an endpoint’s failed deliveries again, from a time on', {
          description:
            'Oldest first, at most 10,000: repeat it while `more` is true. Pending deliveries are not touched, so a ' +
            'repeat sends nothing twice.',
          409: 'The endpoint is disabled, or a request with this Idempotency-Key is under way',
        }),
      },
    )
    .post(
      '/:id/test',
      ({ request, set, params, body: { eventType } }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const answer = await store.commit(async (tx) => {
            const row = await getEndpoint(tx, params.id, scope)
            const asked = { eventType, maxRetries: schedule.maxRetries }
            return await reply(tx, 201, toDelivery(await testEndpoint(tx, row, asked, { queue, now: now() }), scope))
          })
          wakes.wake()
          return answer
        }),
      {
        params: ById,
        body: TestDelivery,
        response: { 201: response(Delivery) },
        detail: operation('testEndpoint', 'Send a test delivery to an endpoint', {
          description:
            'Of type `webhook.test`, or the example of another type, whatever types the endpoint subscribes to. The body of ' +
            'an example has `test: true` besides: nothing has happened.',
          409: 'The endpoint is disabled, its institution was offboarded or deleted, or a request with this Idempotency-Key is under way',
        }),
      },
    )
}
