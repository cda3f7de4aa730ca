import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import { failCommon } from '../errors/errors'
import { apiKeyHash } from './api-key'
import type { Client } from './client'
import type { Identity } from './identity'

/**
 * The participant that a request proves: what the gateway found, else whose API key stands in X-API-KEY (decisions, Who
 * may call). Fails with 401 when there is none; rejects with CallError when the participant service cannot be asked.
 */
export async function authenticatedParticipant(
  { identity, client }: { identity: Identity; client: Client },
  request: Request,
): Promise<string> {
  const caller = await identity.read(request)
  if (caller?.participantId) return caller.participantId
  const key = request.headers.get('x-api-key')
  if (!key)
    throw failCommon('UNAUTHORIZED', {
      message: 'No participant is found in the request: send its API key in X-API-KEY',
    })
  const owner = await client.find(getParticipantByKeyHash, { params: { keyHash: apiKeyHash(key) } })
  if (owner) return owner.id
  throw failCommon('UNAUTHORIZED', { message: 'The API key in X-API-KEY belongs to no participant' })
}
