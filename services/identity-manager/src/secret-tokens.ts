import { randomBytes } from 'node:crypto'

const bytes = 32

/** A new secret that its holder alone has: 256 random bits in base64url. */
export const newToken = (): string => randomBytes(bytes).toString('base64url')

/** What is stored of a secret: so many random bits need no slow hash. */
export const digest = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64url')
