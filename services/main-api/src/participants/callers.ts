import { exampleInstitutionKey } from '@bursar/contracts/examples'
import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import { apiKeyHash, forParticipant, isOfEnvironment } from '@bursar/http'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'
import { apiKeyState } from './api-keys'

/**
 * The calling participant: as found by the gateway, else the owner of the API key in X-API-KEY; a key that
 * was not issued here is looked up at the participant service. Fails (401) when there is none, or the key has expired.
 */
export async function currentParticipant(deps: MainApiDeps, request: Request): Promise<string> {
  const { identity, store, client, config, now } = deps
  const caller = await identity.read(request)
  if (caller?.participantId) return caller.participantId
  const key = request.headers.get('x-api-key')
  if (!key) throw fail('UNAUTHORIZED')
  if (!isOfEnvironment(key, config.environment)) throw fail('INVALID_API_KEY')
  const keyHash = apiKeyHash(key)
  const known = await apiKeyState(store.read, keyHash, now())
  if (known?.status === 'valid') return known.participantId
  const owner = known ? null : await client.find(getParticipantByKeyHash, { params: { keyHash } })
  if (!owner) throw fail('INVALID_API_KEY')
  return owner.id
}

/** The notes of routes for the calling participant. */
export const forCaller = { ...forParticipant(exampleInstitutionKey), 401: 'No participant is found in the request' }
