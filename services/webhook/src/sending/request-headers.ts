import { createHmac } from 'node:crypto'
import { keyOf } from '../endpoints/secrets'

interface Signed {
  /** The delivery's id: the same for each of its attempts. */
  id: string
  body: string
  secrets: readonly string[]
  at: Date
}

/** Headers that callers may not set, because receivers rely on them. */
const isOurs = (name: string): boolean =>
  name.startsWith('webhook-') || name === 'content-type' || name === 'user-agent'

/** The headers of an attempt: the caller's and ours; the caller's never replace ours. Unsigned without a secret. */
export function requestHeaders(callers: Record<string, string>, { id, body, secrets, at }: Signed) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const kept = Object.entries(callers).filter(([name]) => !isOurs(name.trim().toLowerCase()))
  return {
    ...Object.fromEntries(kept),
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secrets.length > 0 ? { 'webhook-signature': sign(secrets, id, timestamp, body) } : {}),
  }
}

/** Parses the caller's headers from JSON. Values other than text, number or boolean are omitted. */
export function parseHeaders(json: string): Record<string, string> {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>)
  const usable = entries.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(usable.map(([name, value]) => [name, String(value)]))
}

/**
 * The value of `webhook-signature` (Standard Webhooks): one `v1` signature for each secret, over the exact bytes that
 * are sent.
 */
const sign = (secrets: readonly string[], id: string, timestamp: string, body: string): string =>
  secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`).join(' ')

const hmac = (secret: string, text: string): string => createHmac('sha256', keyOf(secret)).update(text).digest('base64')
