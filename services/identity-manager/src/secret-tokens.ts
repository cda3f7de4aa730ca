import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from '@bursar/contracts/secrets'
import { sha256 } from '@bursar/http'

/** 192 bits: not guessable, and a link in a mail fits on one line. */
const bytes = 24

/** A new random secret, in base64url. */
export const newToken = (): string => randomBytes(bytes).toString('base64url')

/** The stored form of a secret: this many random bits need no slow hash. */
export const digest = (text: string): string => sha256(text, 'base64url')

/** Whether it has not expired. An expiry further ahead than `longestMs` was set by a wrong clock that has been corrected. */
export function isInTime({ expiresAt }: { expiresAt: Date }, longestMs: number, now: Date): boolean {
  const leftMs = expiresAt.getTime() - now.getTime()
  return leftMs > 0 && leftMs <= longestMs
}

/**
 * Derives the successors of a token, so that a repeated request gets the same answer although no valid token is stored: the one
 * of the newest key first, then those of earlier keys, which gave an answer before a rotation.
 */
export function successors(secrets: Secrets): (token: string) => string[] {
  const keyOf = derivedFrom('bursar/refresh-token/v1')
  return (token) => secrets.all().map((secret) => createHmac('sha256', keyOf(secret)).update(token).digest('base64url'))
}

/** Keys for one purpose, derived once from each secret. */
export function derivedFrom(purpose: string): (secret: Uint8Array) => Buffer {
  const known = new WeakMap<Uint8Array, Buffer>()
  return (secret) => {
    const key = known.get(secret) ?? Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), purpose, 32))
    known.set(secret, key)
    return key
  }
}
