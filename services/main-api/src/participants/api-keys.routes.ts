import { idempotent, internalRoutes, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'
import { apiKeyState, issueApiKey, newestApiKey, newestApiKeys, toApiKey, toApiKeyFacts } from './api-keys'
import { ApiKey, ApiKeyFacts, ApiKeyList, ApiKeyState, ByKeyHash, IssuedApiKey, NewApiKey } from './api-keys.model'
import { currentParticipant, forCaller } from './callers'
import { ById } from './participants.model'

const noKey = () => fail('NOT_FOUND', { message: 'The participant has no API key yet' })

/** The number of keys that people are shown: older ones have ended. */
const mostListed = 20

/** Spec 3, PFI module: the participant's own API key. */
export function apiKeyRoutes(deps: MainApiDeps) {
  const { store, seal, wakes, now } = deps
  // The answer contains the key.
  const once = idempotent(deps, { seal })
  return new Elysia({ prefix: '/participants', tags: ['API keys'] })
    .get(
      '/:id/api-key',
      async ({ params }) => {
        const row = await newestApiKey(store.read, params.id)
        if (!row) throw noKey()
        return toApiKeyFacts(row, seal, now())
      },
      {
        params: ById,
        response: { 200: response(ApiKeyFacts) },
        detail: operation('getApiKeyFacts', 'Get the newest API key of a participant, masked', {
          404: 'The participant has no API key yet',
        }),
      },
    )
    .get(
      '/:id/api-keys',
      async ({ params }) => {
        const rows = await newestApiKeys(store.read, params.id, mostListed)
        return { data: rows.map((row) => toApiKeyFacts(row, seal, now())) }
      },
      {
        params: ById,
        response: { 200: response(ApiKeyList) },
        detail: operation('listApiKeys', 'List the newest 20 API keys of a participant, masked', {
          description: 'Newest first, with the time until which each is or was valid.',
        }),
      },
    )
    .get(
      '/api-key',
      async ({ request }) => {
        const row = await newestApiKey(store.read, await currentParticipant(deps, request))
        if (!row) throw noKey()
        return toApiKey(row, seal)
      },
      {
        response: { 200: response(ApiKey) },
        detail: operation('getApiKey', 'Get the newest API key of the calling participant', {
          ...forCaller,
          404: 'The participant has no API key yet',
        }),
      },
    )
    .post(
      '/api-key',
      async ({ request, set, body }) => {
        const participantId = await currentParticipant(deps, request)
        const answer = await once({ request, set }, (reply) =>
          store.commit(async (tx) => {
            const row = await issueApiKey(tx, deps, { ...body, participantId }, now())
            return await reply(tx, 201, { data: toApiKey(row, seal) })
          }),
        )
        wakes.wake()
        return answer
      },
      {
        body: NewApiKey,
        response: { 201: response(IssuedApiKey) },
        detail: operation('issueApiKey', 'Issue an API key to the calling participant', {
          ...forCaller,
          description: 'The previous key stays valid for 24 hours, or for `previousValidHours`.',
          404: 'The participant has not registered here',
          409: 'The participant was offboarded, or a request with this Idempotency-Key is under way',
        }),
      },
    )
}

/** For the gateway only (contracts/main-api.ts). */
export const internalApiKeyRoutes = ({ store, identity, now }: MainApiDeps) =>
  internalRoutes(identity, '/internal/api-keys').get(
    '/by-hash/:keyHash',
    async ({ params }) => {
      const state = await apiKeyState(store.read, params.keyHash, now())
      if (!state) throw fail('NOT_FOUND', { message: 'No such API key was issued here' })
      return state
    },
    { params: ByKeyHash, response: { 200: response(ApiKeyState) } },
  )
