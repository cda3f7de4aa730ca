import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryTime } from '@bursar/http'

const requestId = () => about('The id of the job, message or event that it tells of', t.String())

/** A delivery (spec 3, Webhook delivery). Fields that are not there yet are left out. */
export const Delivery = t.Object(
  {
    deliveryId: uuid(),
    requestId: requestId(),
    status: about(
      'What became of it; `pending_retry`: an attempt is under way, or follows',
      oneOf(['delivered', 'failed', 'pending_retry', 'not_found']),
    ),
    attemptCount: t.Integer({ description: 'Attempts since it was made, or last replayed' }),
    maxRetries: t.Integer({ description: 'Attempts that may follow the first' }),
    lastError: nullable(t.String()),
    lastAttemptAt: t.Optional(timestamp()),
    successAt: t.Optional(timestamp()),
    httpStatus: t.Optional(t.Integer()),
    webhookUrl: t.String({ description: 'Empty when there was no endpoint' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'WebhookDelivery' },
)
export type Delivery = Static<typeof Delivery>

export const Attempt = t.Object(
  {
    id: uuid(),
    startedAt: timestamp(),
    durationMs: t.Integer({ description: 'Milliseconds' }),
    httpStatus: nullable(t.Integer({ description: 'Null when no answer came' })),
    answer: nullable(t.String({ description: 'The first 1 KB of the answer’s body' })),
    error: nullable(t.String({ description: 'Null for a success' })),
  },
  { title: 'DeliveryAttempt' },
)
export type Attempt = Static<typeof Attempt>

const limit = () => queryInteger({ minimum: 0, maximum: 200, default: 50 })

/** Spec 3, Limits: default 50, max 200. */
export const LimitQuery = t.Object({ limit: limit() })

/** An endpoint's deliveries, newest first; `before` is the last deliveryId of the page before. */
export const EndpointDeliveriesQuery = t.Object({
  limit: limit(),
  since: t.Optional(queryTime()),
  until: t.Optional(queryTime()),
  before: t.Optional(t.String()),
})
export type EndpointDeliveriesQuery = Static<typeof EndpointDeliveriesQuery>

const counted = { count: about('How many deliveries are here', t.Integer()), deliveries: t.Array(Delivery) }
export const Deliveries = t.Object(counted, { title: 'Deliveries' })
export const LimitedDeliveries = t.Object(
  { ...counted, limit: about('How many there may be here', t.Integer()) },
  { title: 'LimitedDeliveries' },
)

/** Body of POST /webhooks/delivery/replay-failed: what failed at `since` or later. */
export const ReplayFailed = t.Object(
  { since: timestamp(), endpointId: t.Optional(uuid()), participantId: t.Optional(text(255)) },
  { title: 'ReplayFailed', examples: [{ since: '2026-01-31T00:00:00.000Z', endpointId: exampleIds.endpoint }] },
)
export type ReplayFailed = Static<typeof ReplayFailed>

export const Replayed = t.Object(
  {
    count: t.Integer({ description: 'Deliveries that are sent again' }),
    more: t.Boolean({ description: 'Whether others are left: repeat the request' }),
  },
  { title: 'Replayed' },
)

export const ByRequestId = t.Object({ requestId: { ...requestId(), examples: [exampleIds.screeningJob] } })
export const ByDeliveryId = t.Object({ deliveryId: t.String({ examples: [exampleIds.delivery] }) })
