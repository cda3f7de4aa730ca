import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { webhooks } from './api.js'

type BodyOf<Type extends keyof webhooks> = webhooks[Type] extends {
  post: { requestBody: { content: { 'application/json': infer Body } } }
}
  ? Body
  : never

/** The types of events that webhooks are sent for. */
export type WebhookType = keyof webhooks

/** The body of a webhook; its `type` says which. */
export type WebhookEvent = { [Type in WebhookType]: BodyOf<Type> & { type: Type } }[WebhookType]

/** A delivery whose signature is right. */
export interface Delivery {
  /** The same for each repeat of a delivery: act once on each. */
  readonly id: string
  readonly event: WebhookEvent
  /** Whether the event was sent to test the endpoint: nothing has happened. */
  readonly isTest: boolean
}

/** As `request.headers` of Node, of Fetch, and of most frameworks. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export { WebhookVerificationError }

/**
 * Verifies a delivery (Standard Webhooks): its signature by one of the endpoint's secrets, and that it was sent less than
 * five minutes ago by this machine's clock. `body` is the text as it came: parsed and written again it has another
 * signature. Throws WebhookVerificationError; answer 400 then.
 */
export function verifyWebhook(
  secret: string | readonly string[],
  { headers, body }: { headers: ReceivedHeaders; body: string | Uint8Array },
): Delivery {
  const received = plainHeaders(headers)
  const text = typeof body === 'string' ? body : textOf(body)
  const event = verifiedBy([secret].flat(), text, received)
  if (!isEvent(event)) throw new WebhookVerificationError('The body is no event')
  const isTest = event.type === 'webhook.test' || ('test' in event && event.test === true)
  return { id: received['webhook-id'] ?? '', event, isTest }
}

/** Whoever finds the receiver may send anything. */
function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new WebhookVerificationError('The body is no text')
  }
}

/** By the first secret that made it; the last one's error when none did. */
function verifiedBy(secrets: readonly string[], body: string, headers: Record<string, string>): unknown {
  let last: unknown = new Error('verifyWebhook needs the secret of the endpoint')
  for (const secret of secrets) {
    const webhook = new Webhook(secret)
    try {
      return webhook.verify(body, headers)
    } catch (error) {
      last = error
    }
  }
  throw last
}

function plainHeaders(headers: ReceivedHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  )
}

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'data' in value
