import { apiKeyHash, type Caller, createSeal, type KeyRing, type Seal } from '@bursar/http'

/** Replaces the key in answers to callers that may not see it. */
export const mask = '********'

/**
 * Encrypts and hashes the participants' API keys (authConsumerId; decisions, Who may call 6). A key is bound to the id
 * of its participant.
 */
export interface ApiKeys extends Seal {
  /** SHA-256, hexadecimal: keys are looked up by it. */
  hash(key: string): string
}

export const createApiKeys = (key: Uint8Array | KeyRing): ApiKeys => ({
  hash: apiKeyHash,
  ...createSeal(key),
})

/**
 * Whether the caller sees a participant's key in full: itself, its own administrators, an administrator, another
 * service, and a caller without the gateway. All others get the mask, also its other users: the key may do more than
 * they.
 */
export const seesKey = (caller: Caller | null, participantId: string): boolean =>
  caller === null ||
  caller.kind === 'service' ||
  (caller.participantId === participantId &&
    (caller.kind === 'participant' || caller.roles.includes('participant-admin'))) ||
  caller.roles.includes('admin')
