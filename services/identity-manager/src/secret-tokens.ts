import { createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** 192 bits: nobody guesses them, and a link in a mail stays on one line. */
const bytes = 24

/** A new secret that its holder alone has, in base64url. */
export const newToken = (): string => randomBytes(bytes).toString('base64url')

/** What is stored of a secret: so many random bits need no slow hash. */
export const digest = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64url')

/**
 * Computes the token that follows one. So the answer to a request that is repeated can be given again, and no token that
 * is good for anything is stored.
 */
export function successors(key: Uint8Array): (token: string) => string {
  const own = Buffer.from(hkdfSync('sha256', key, new Uint8Array(), 'bursar/refresh-token/v1', 32))
  return (token) => createHmac('sha256', own).update(token).digest('base64url')
}
