import { event } from './event'
import { jsonObject, nullable, type Static, t, text } from './schema'

/** The purpose of the deployment's seal for callback headers. */
export const sealedHeaders = 'webhook-headers'

/**
 * A delivery to webhooks. Any service emits it, in the commit of its cause; the webhook service finds the endpoints,
 * signs, delivers and retries (decisions, Webhook deliveries).
 */
export const DeliveryRequested = event(
  'webhook.delivery.requested',
  t.Object({
    v: t.Literal(1),
    /** Identifies the delivery: the id of its job, message or event. */
    requestId: text(255),
    /** `sanctions.completed`; endpoints subscribe to it. */
    eventType: text(128),
    /** The participant whose endpoints get it; null for none. */
    participantId: nullable(text(255)),
    /** The URL if no endpoint takes it; null: it fails with `no endpoint`. */
    fallbackUrl: nullable(text(2048)),
    /** Only for registered endpoints: if none takes it, nothing is recorded as failed. */
    endpointsOnly: t.Optional(t.Boolean()),
    /**
     * Headers that the caller wants on the delivery, as a JSON object, encrypted (`deps.sealFor(sealedHeaders)` with
     * the requestId as owner): they may hold credentials, and events must not. Null for none.
     */
    headers: nullable(t.String()),
    /** The body: `{type, timestamp, data}`. */
    payload: jsonObject(),
  }),
  { consumers: ['webhook'] },
)
export type DeliveryRequest = Static<typeof DeliveryRequested.payload>
