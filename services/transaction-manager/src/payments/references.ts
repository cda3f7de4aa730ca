import { randomBytes } from 'node:crypto'

/** Without letters that are taken for others (Crockford's base 32). */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A reference for a payment whose caller gave none: 12 letters and digits, 60 random bits. */
export const newReference = (): string => Array.from(randomBytes(12), (byte) => letters[byte % 32]).join('')
