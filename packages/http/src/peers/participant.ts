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
 * The participant that a request proves: what the gateway found, else whose API key stands in X-API-KEY (decisions, Who
 * may call). Fails with 401 when there is none; rejects with CallError when the participant service cannot be asked.
 */
export async function authenticatedParticipant(deps: ParticipantDeps, request: Request): Promise<string> {
  const participantId = await callingParticipant(deps, request)
  if (participantId !== null) return participantId
  throw failCommon('UNAUTHORIZED', {
    message: 'No participant is found in the request: send its API key in X-API-KEY',
  })
}

/** The same where a request need not prove one: null then. A key that belongs to nobody is refused (401) all the same. */
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
