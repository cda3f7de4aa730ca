import { authenticatedParticipant, type Deps } from '@bursar/http'

/** The calling participant; null for a caller without one. Fails (401) for an unknown API key. */
export async function callingParticipant(
  deps: Pick<Deps, 'identity' | 'client'>,
  request: Request,
): Promise<string | null> {
  const caller = await deps.identity.read(request)
  if (caller?.participantId) return caller.participantId
  return caller === null && request.headers.has('x-api-key') ? await authenticatedParticipant(deps, request) : null
}
