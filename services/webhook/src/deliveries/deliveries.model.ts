import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { keysetQuery, queryInteger, queryTime, queryUuid } from '@bursar/http'

const requestId = () =>
  about(
    'The id of the job, message or event that it tells of; of an event, `.` and the participant’s id may follow',
    t.String(),
  )

/** A delivery (spec 3, Webhook delivery). Fields without a value are omitted. */
export const Delivery = t.Object(
  {
    deliveryId: uuid(),
    requestId: requestId(),
    status: about(
      'The state; `pending_retry`: an attempt is under way or planned',
      oneOf(['delivered', 'failed', 'pending_retry', 'not_found']),
    ),
    attemptCount: t.Integer({ description: 'Attempts since it was made, or last replayed' }),
    maxRetries: t.Integer({ description: 'Attempts that may follow the first' }),
    lastError: nullable(t.String()),
    lastAttemptAt: t.Optional(timestamp()),
    successAt: t.Optional(timestamp()),
    httpStatus: t.Optional(t.Integer()),
    webhookUrl: t.String({
      description:
        'Empty when there was no endpoint. Of the deployment’s own callback URL an institution gets the origin alone',
    }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

const AttemptRequest = t.Object(
  {
    url: about('Where it was sent', t.String()),
    headers: about(
      'Those by which the receiver verifies it (Standard Webhooks); headers that the caller added are not shown',
      t.Record(t.String(), t.String()),
    ),
  },
  { title: 'AttemptRequest' },
)

export const Attempt = t.Object(
  {
    id: uuid(),
    startedAt: timestamp(),
    durationMs: t.Integer({ description: 'Milliseconds' }),
    httpStatus: nullable(t.Integer({ description: 'Null without an answer' })),
    request: about(
      'The request, with the delivery’s body; null for one of an earlier version, and when it could not be made',
      nullable(AttemptRequest),
    ),
    answer: nullable(t.String({ description: 'The first 1 KB of the answer’s body' })),
    error: nullable(t.String({ description: 'Null for a success' })),
  },
  { title: 'DeliveryAttempt' },
)
export type Attempt = Static<typeof Attempt>

/** Not in the specification: a delivery as the console shows it. */
export const DeliveryEntry = t.Object(
  {
    ...Delivery.properties,
    eventType: about('The event type, such as `message.created`', t.String()),
    endpointId: about('Null for a fallback URL, or without an endpoint', nullable(t.String())),
    participantId: about('The participant; null for none', nullable(t.String())),
    nextAttemptAt: about('When it is retried; null when no retry is planned', nullable(timestamp())),
  },
  { title: 'DeliveryEntry' },
)
export type DeliveryEntry = Static<typeof DeliveryEntry>

/** Not in the specification: a delivery with its body. */
export const DeliveryDetails = t.Object(
  { ...DeliveryEntry.properties, body: about('The exact text that is sent, JSON', t.String()) },
  { title: 'DeliveryDetails' },
)
export type DeliveryDetails = Static<typeof DeliveryDetails>

const limit = () => queryInteger({ minimum: 0, maximum: 200, default: 50 })

/** Spec 3, Limits: default 50, max 200. */
export const LimitQuery = t.Object({ limit: limit() })

/** An endpoint's deliveries, newest first; `before` is the last deliveryId of the previous page. */
export const EndpointDeliveriesQuery = t.Object({
  limit: limit(),
  since: t.Optional(queryTime()),
  until: t.Optional(queryTime()),
  before: t.Optional(t.String()),
})
export type EndpointDeliveriesQuery = Static<typeof EndpointDeliveriesQuery>

/** GET /webhooks/deliveries */
export const DeliveriesQuery = t.Object({
  limit: limit(),
  endpointId: t.Optional(about('Deliveries to this endpoint', queryUuid())),
  status: t.Optional(about('What became of it', oneOf(['delivered', 'failed', 'pending_retry']))),
  event: t.Optional(about('The type of the event, such as `message.created`', text(128))),
  resourceId: t.Optional(about('The ids of the jobs, messages or events, up to 25, comma-separated', text(2000))),
  participantId: t.Optional(about('Deliveries of this participant', text(255))),
  from: t.Optional(about('Created at this time or later', queryTime())),
  to: t.Optional(about('Created at this time or earlier', queryTime())),
  ...keysetQuery,
})
export type DeliveriesQuery = Static<typeof DeliveriesQuery>

const counted = { count: about('How many deliveries are here', t.Integer()), deliveries: t.Array(Delivery) }
export const Deliveries = t.Object(counted, { title: 'Deliveries' })
export const LimitedDeliveries = t.Object(
  { ...counted, limit: about('The maximum number of deliveries', t.Integer()) },
  { title: 'LimitedDeliveries' },
)

export const DeliveryList = t.Object(
  {
    count: about('The number of deliveries', t.Integer()),
    limit: about('The maximum number of deliveries', t.Integer()),
    deliveries: t.Array(DeliveryEntry),
  },
  { title: 'DeliveryList' },
)

/** Body of POST /webhooks/endpoints/:id/recover. */
export const Recover = t.Object(
  { since: about('Deliveries that failed at this time or later', timestamp()) },
  { title: 'Recover', examples: [{ since: '2026-01-31T00:00:00.000Z' }] },
)

/** Body of POST /webhooks/delivery/replay-failed: deliveries that failed at `since` or later. */
export const ReplayFailed = t.Object(
  { since: timestamp(), endpointId: t.Optional(uuid()), participantId: t.Optional(text(255)) },
  { title: 'ReplayFailed', examples: [{ since: '2026-01-31T00:00:00.000Z', endpointId: exampleIds.endpoint }] },
)
export type ReplayFailed = Static<typeof ReplayFailed>

/** Body of POST /webhooks/endpoints/:id/test. */
export const TestDelivery = t.Object(
  {
    eventType: t.Optional(
      about(
        'The type of event whose example is sent; `webhook.test` by default',
        oneOf(webhookEvents.map(({ type }) => type)),
      ),
    ),
  },
  { title: 'TestDelivery', examples: [{ eventType: 'payment.executed' }] },
)

export const Replayed = t.Object(
  {
    count: t.Integer({ description: 'Deliveries that are sent again' }),
    more: t.Boolean({ description: 'Whether others are left: repeat the request' }),
  },
  { title: 'Replayed' },
)

export const ByRequestId = t.Object({ requestId: { ...requestId(), examples: [exampleIds.screeningJob] } })
export const ByDeliveryId = t.Object({ deliveryId: t.String({ examples: [exampleIds.delivery] }) })
