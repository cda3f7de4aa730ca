import { createHmac } from 'node:crypto'
import { keyOf } from '../endpoints/secrets'

/**
 * The value of `webhook-signature` (Standard Webhooks): one `v1` signature for each secret, over the very bytes that are
 * sent.
 */
export const sign = (secrets: readonly string[], id: string, timestamp: string, body: string): string =>
  secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`).join(' ')

const hmac = (secret: string, text: string): string => createHmac('sha256', keyOf(secret)).update(text).digest('base64')
