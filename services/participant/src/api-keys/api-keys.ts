import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Caller } from '@bursar/http'

/** What a key reads as to those who may not see it. */
export const mask = '********'

/** How the participants' API keys (authConsumerId) are kept (decisions, Who may call 6). */
export interface ApiKeys {
  /** What a key is looked up by: SHA-256, hexadecimal. */
  hash(key: string): string
  /** Encrypted for one participant: it does not open at another. */
  seal(key: string, participantId: string): string
  /** Throws when what was sealed was altered, or sealed for another participant or with another key file. */
  open(sealed: string, participantId: string): string
}

const algorithm = 'aes-256-gcm'
const version = 'v1.'
const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM, with a random IV each. The key has 32 bytes. */
export const createApiKeys = (key: Buffer): ApiKeys => ({
  hash: (text) => createHash('sha256').update(text).digest('hex'),
  seal(text, participantId) {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(participantId))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return version + sealed.toString('base64url')
  },
  open(sealed, participantId) {
    if (!sealed.startsWith(version)) throw new Error(`The API key of participant ${participantId} is not sealed`)
    const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(participantId))
      .setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
  },
})

/**
 * True for those who see a participant's key in full: itself, an administrator, another service, and who calls without
 * the gateway. Everybody else gets the mask.
 */
export const seesKey = (caller: Caller | null, participantId: string): boolean =>
  caller === null ||
  caller.kind === 'service' ||
  caller.participantId === participantId ||
  caller.roles.includes('admin')
