import { exampleEndpointUrl, exampleIds } from '@bursar/contracts/examples'
import { about, jsonObject, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { eventPattern } from '@bursar/contracts/webhook-events'
import { queryInteger, queryOffset } from '@bursar/http'

const url = () => text(2048)
const eventTypes = () => t.Array(eventPattern(), { maxItems: 100, uniqueItems: true })

/** Body of POST /webhooks/endpoints. No event types: all of them. */
export const NewEndpoint = t.Object(
  { participantId: text(255), url: url(), eventTypes: t.Optional(eventTypes()) },
  {
    title: 'NewEndpoint',
    examples: [
      {
        participantId: exampleIds.participant,
        url: `${exampleEndpointUrl}/screenings`,
        eventTypes: ['sanctions.completed', 'sanctions.failed'],
      },
    ],
  },
)
export type NewEndpoint = Static<typeof NewEndpoint>

/** Body of PUT /webhooks/endpoints/:id. Omitted fields are unchanged. */
export const EndpointChanges = t.Object(
  { url: t.Optional(url()), eventTypes: t.Optional(eventTypes()) },
  { title: 'EndpointChanges', examples: [{ eventTypes: ['sanctions.completed'] }] },
)
export type EndpointChanges = Static<typeof EndpointChanges>

export const Endpoint = t.Object(
  {
    id: uuid(),
    participantId: t.String(),
    url: t.String(),
    eventTypes: t.Array(t.String(), { description: 'Empty for all' }),
    takes: about(
      'The types of GET /webhooks/event-types that it takes, except `webhook.test`; empty for one that nothing is sent to',
      t.Array(t.String()),
    ),
    status: about('`disabled`: it receives nothing until it is enabled again', oneOf(['active', 'disabled'])),
    previousSecretUntil: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Endpoint' },
)
export type Endpoint = Static<typeof Endpoint>

/** An endpoint with its secret, which is shown only once. */
export const EndpointWithSecret = t.Object(
  { ...Endpoint.properties, secret: t.String({ description: 'whsec_…; it is not shown again' }) },
  { title: 'EndpointWithSecret' },
)

/** GET /webhooks/event-types. */
export const EventType = t.Object(
  {
    type: about('Its name, in `eventTypes` of an endpoint and in the body', t.String()),
    description: about('When it is delivered', t.String()),
    schema: about('The JSON Schema of the body', jsonObject()),
  },
  { title: 'EventType' },
)

/** GET /webhooks/endpoints: all by default. */
export const EndpointQuery = t.Object({
  participantId: t.Optional(text(255)),
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type EndpointQuery = Static<typeof EndpointQuery>

/** Any string: an unknown one is a 404. */
export const ById = t.Object({ id: t.String({ examples: [exampleIds.endpoint] }) })
