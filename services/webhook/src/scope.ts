import type { Identity } from '@bursar/http'

/** Who runs this deployment; what each of them may do is the gateway's business. */
const staff = new Set(['admin', 'operator', 'viewer'])

/**
 * Whose endpoints and deliveries a request is about: null for everybody's (services, staff, callers on this machine
 * without the gateway), else those of one participant. What belongs to another is not found: 403 is not implemented
 * (spec 3, Authentication).
 */
export async function scopeOf(identity: Identity, request: Request): Promise<string | null> {
  const caller = await identity.read(request)
  if (caller === null || caller.kind === 'service' || caller.roles.some((role) => staff.has(role))) return null
  // A user of no participant sees nothing.
  return caller.participantId ?? ''
}

/** True for a record of the participant that the request is about. */
export const isIn = (scope: string | null, { participantId }: { participantId: string | null }): boolean =>
  scope === null || scope === participantId
