import { createHash } from 'node:crypto'
import { type Caller, createSeal, type Seal } from '@bursar/http'

/** What a key reads as to those who may not see it. */
export const mask = '********'

/**
 * How the participants' API keys (authConsumerId) are kept (decisions, Who may call 6): sealed for one participant each,
 * by its id.
 */
export interface ApiKeys extends Seal {
  /** What a key is looked up by: SHA-256, hexadecimal. */
  hash(key: string): string
}

/** The key has 32 bytes. */
export const createApiKeys = (key: Buffer): ApiKeys => ({
  hash: (text) => createHash('sha256').update(text).digest('hex'),
  ...createSeal(key),
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
