import { createHmac } from 'node:crypto'
import { ourHeaders, timestampOf } from '../deliveries/attempts'
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

/** The headers of an attempt: the caller's and ours; the caller's never replace ours. */
export function requestHeaders(
  callers: Record<string, string>,
  attempt: Parameters<typeof ourHeaders>[0],
): Record<string, string> {
  const kept = Object.entries(callers).filter(([name]) => !isOurs(name.trim().toLowerCase()))
  return { ...Object.fromEntries(kept), ...ourHeaders(attempt) }
}

/** Parses the caller's headers from JSON. Values other than text, number or boolean are omitted. */
export function parseHeaders(json: string): Record<string, string> {
  const entries = Object.entries(JSON.parse(json) as Record<string, unknown>)
  const usable = entries.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(usable.map(([name, value]) => [name, String(value)]))
}

/**
 * The value of `webhook-signature` (Standard Webhooks): one `v1` signature for each secret, over the exact bytes that
 * are sent; null without a secret.
 */
export const signatureOf = ({ id, body, secrets, at }: Signed): string | null =>
  secrets.length === 0
    ? null
    : secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestampOf(at)}.${body}`)}`).join(' ')

const hmac = (secret: string, text: string): string => createHmac('sha256', keyOf(secret)).update(text).digest('base64')
