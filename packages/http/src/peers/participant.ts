import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import { failCommon } from '../errors/errors'
import { apiKeyHash } from './api-key'
import type { Client } from './client'
import type { Identity } from './identity'

interface ParticipantDeps {
  identity: Identity
  client: Client
}

/**
 * The authenticated participant of a request: that of the gateway's identity, else the owner of X-API-KEY (decisions,
 * Who may call). Fails with 401 if there is none; rejects with CallError if the participant service is unavailable.
 */
export async function authenticatedParticipant(deps: ParticipantDeps, request: Request): Promise<string> {
  const participantId = await callingParticipant(deps, request)
  if (participantId !== null) return participantId
  throw failCommon('UNAUTHORIZED', {
    message: 'No participant is found in the request: send its API key in X-API-KEY',
  })
}

/** The same for requests that need no participant: null if there is none. An unknown key is still refused (401). */
export async function callingParticipant(
  { identity, client }: ParticipantDeps,
  request: Request,
): Promise<string | null> {
  const caller = await identity.read(request)
  if (caller?.participantId) return caller.participantId
  const key = request.headers.get('x-api-key')
  if (!key) return null
  const owner = await client.find(getParticipantByKeyHash, { params: { keyHash: apiKeyHash(key) } })
  if (owner) return owner.id
  throw failCommon('UNAUTHORIZED', { message: 'The API key in X-API-KEY belongs to no participant' })
}
