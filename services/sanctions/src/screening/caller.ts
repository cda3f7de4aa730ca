import { authenticatedParticipant, type Deps } from '@bursar/http'

/** The participant that calls; null for a caller who proves none. Fails (401) for an API key that nobody has. */
export async function callingParticipant(
  deps: Pick<Deps, 'identity' | 'client'>,
  request: Request,
): Promise<string | null> {
  const caller = await deps.identity.read(request)
  if (caller?.participantId) return caller.participantId
  return caller === null && request.headers.has('x-api-key') ? await authenticatedParticipant(deps, request) : null
}
