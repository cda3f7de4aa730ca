import { createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** 192 bits: not guessable, and a link in a mail fits on one line. */
const bytes = 24

/** A new random secret, in base64url. */
export const newToken = (): string => randomBytes(bytes).toString('base64url')

/** The stored form of a secret: this many random bits need no slow hash. */
export const digest = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64url')

/**
 * Derives the successor of a token, so that a repeated request gets the same answer although no valid token
 * is stored.
 */
export function successors(key: Uint8Array): (token: string) => string {
  const own = Buffer.from(hkdfSync('sha256', key, new Uint8Array(), 'bursar/refresh-token/v1', 32))
  return (token) => createHmac('sha256', own).update(token).digest('base64url')
}
