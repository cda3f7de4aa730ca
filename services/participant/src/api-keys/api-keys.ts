import type { Caller } from '@bursar/http'

/** Replaces the key in answers to callers that may not see it. */
export const mask = '********'

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
