import { randomBytes } from 'node:crypto'
import type { Seal } from '@bursar/http'
import type { endpoints } from './endpoints.table'

const prefix = 'whsec_'
const bytes = 32

/** How long the previous secret still signs after a rotation. */
export const overlapMs = 24 * 60 * 60 * 1000

/** A new Standard Webhooks secret. */
export const newSecret = (): string => prefix + randomBytes(bytes).toString('base64')

/** True for `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks, Signature scheme). */
export function isSecret(text: string): boolean {
  const encoded = text.slice(prefix.length)
  const { length } = Buffer.from(encoded, 'base64')
  return text.startsWith(prefix) && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) && length >= 24 && length <= 64
}

/** The HMAC key of a secret. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64')

type Sealed = Pick<typeof endpoints.$inferSelect, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>

/**
 * The secrets that sign an endpoint's deliveries now, newest first. Throws SealBrokenError. An expiry beyond
 * the maximum was set by a wrong clock that has been corrected.
 */
export function secretsOf(seal: Seal, { id, secret, previousSecret, previousUntil }: Sealed, now: Date): string[] {
  const leftMs = previousUntil ? previousUntil.getTime() - now.getTime() : 0
  const hasPrevious = previousSecret !== null && leftMs > 0 && leftMs <= overlapMs
  return [secret, ...(hasPrevious ? [previousSecret] : [])].map((sealed) => seal.open(sealed, id))
}
