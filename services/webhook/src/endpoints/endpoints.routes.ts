import { foldedId, t } from '@bursar/contracts/schema'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { Deleted, deleted, idempotent, jsonArray, operation, response } from '@bursar/http'
import { newId } from '@bursar/store'
import { Elysia } from 'elysia'
import type { WebhookDeps } from '../deps'
import { fail } from '../errors'
import { isIn, scopeOf } from '../scope'
import {
  changeEndpoint,
  checkEndpointUrl,
  createEndpoint,
  deleteEndpoint,
  enableEndpoint,
  endpointList,
  getEndpoint,
  rotateSecret,
  toEndpoint,
} from './endpoints'
import {
  ById,
  Endpoint,
  EndpointChanges,
  EndpointQuery,
  EndpointWithSecret,
  EventType,
  NewEndpoint,
} from './endpoints.model'
import { newSecret } from './secrets'

/** Not in the specification (decisions, Sanctions callback): a participant's endpoints. */
export function endpointRoutes(deps: WebhookDeps) {
  const { store, identity, outbound, secrets, queue, log, now } = deps
  // Answers contain the endpoint's secret.
  const once = idempotent(deps, { seal: secrets })
  return new Elysia({ prefix: '/webhooks/endpoints', tags: ['Endpoints'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const asked = { ...body, participantId: foldedId(body.participantId) }
          if (!isIn(await scopeOf(identity, request), asked)) throw fail('PARTICIPANT_NOT_FOUND')
          await checkEndpointUrl(outbound, asked.url)
          const at = now()
          const id = newId(at)
          const secret = newSecret()
          const sealed = secrets.seal(secret, id)
          return await store.commit(async (tx) => {
            const row = await createEndpoint(tx, asked, { id, secret: sealed, now: at })
            return await reply(tx, 201, { ...toEndpoint(row), secret })
          })
        }),
      {
        body: NewEndpoint,
        response: { 201: response(EndpointWithSecret) },
        detail: operation('createEndpoint', 'Register an endpoint', {
          description: 'Only this answer shows its secret.',
          404: 'The participant is not the caller’s own',
          409: 'The participant has too many endpoints, or a request with this Idempotency-Key is under way',
        }),
      },
    )
    .get(
      '/',
      async ({ query, request }) => {
        const scope = await scopeOf(identity, request)
        const asked = query.participantId === undefined ? undefined : foldedId(query.participantId)
        if (asked !== undefined && !isIn(scope, { participantId: asked })) return []
        const participantId = asked ?? scope ?? undefined
        return await jsonArray(endpointList.chunks(store.read, { participantId }, query, 100), log)
      },
      {
        query: EndpointQuery,
        response: { 200: response(t.Array(Endpoint)) },
        detail: operation('listEndpoints', 'List the endpoints, oldest first'),
      },
    )
    .get(
      '/:id',
      async ({ params, request }) =>
        toEndpoint(await getEndpoint(store.read, params.id, await scopeOf(identity, request))),
      { params: ById, response: { 200: response(Endpoint) }, detail: operation('getEndpoint', 'Get an endpoint') },
    )
    .put(
      '/:id',
      async ({ params, body, request }) => {
        const scope = await scopeOf(identity, request)
        await getEndpoint(store.read, params.id, scope)
        if (body.url !== undefined) await checkEndpointUrl(outbound, body.url)
        return await store.commit(async (tx) =>
          toEndpoint(await changeEndpoint(tx, await getEndpoint(tx, params.id, scope), body, now())),
        )
      },
      {
        params: ById,
        body: EndpointChanges,
        response: { 200: response(Endpoint) },
        detail: operation('changeEndpoint', 'Change an endpoint’s URL or event types'),
      },
    )
    .delete(
      '/:id',
      async ({ params, request }) => {
        const scope = await scopeOf(identity, request)
        await store.commit(async (tx) =>
          deleteEndpoint(tx, await getEndpoint(tx, params.id, scope), { queue, now: now() }),
        )
        deps.wakes.wake()
        return deleted('Endpoint deleted')
      },
      {
        params: ById,
        response: { 200: response(Deleted) },
        detail: operation('deleteEndpoint', 'Delete an endpoint', {
          description: 'Its waiting deliveries fail with `endpoint deleted`.',
        }),
      },
    )
}

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
