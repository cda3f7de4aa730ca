import type { Identity } from '@bursar/http'

/** The roles of operators; the gateway decides what each may do. */
const staff = new Set(['admin', 'operator', 'viewer'])

/**
 * The scope of a request: null for all endpoints and deliveries (services, staff, callers on this machine
 * without the gateway), else those of one participant. Records of others are not found: 403 is not implemented
 * (spec 3, Authentication).
 */
export async function scopeOf(identity: Identity, request: Request): Promise<string | null> {
  const caller = await identity.read(request)
  if (caller === null || caller.kind === 'service' || caller.roles.some((role) => staff.has(role))) return null
  // A user without a participant sees nothing.
  return caller.participantId ?? ''
}

/** Whether a record is in the request's scope. */
export const isIn = (scope: string | null, { participantId }: { participantId: string | null }): boolean =>
  scope === null || scope === participantId
