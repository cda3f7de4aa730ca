import { DeadLetterRetry, DeadLetters } from '@bursar/contracts/operations'
import { currentRequestId, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { operators, readers } from '../access/rules'
import type { GatewayDeps } from '../deps'
import type { Guard } from '../console-guard'
import { deadLettersOf, retryLetter } from './dead-letters'
import { ByLetter, ByService, PlatformHealth } from './operations.model'
import { createPlatformOperations } from './service-operations'

/** How all services fare, and their dead letters, for staff. */
export function operationsRoutes(deps: GatewayDeps, guard: Guard) {
  const platform = createPlatformOperations(deps.client, deps.operations.read)
  return new Elysia({ detail: { hide: true } })
    .get(
      '/health',
      async ({ request }) => {
        await guard(request, readers)
        return await platform()
      },
      { response: { 200: response(PlatformHealth) } },
    )
    .get(
      '/services/:name/dead-letters',
      async ({ request, params }) => {
        await guard(request, readers)
        return await deadLettersOf(deps, params.name)
      },
      { params: ByService, response: { 200: response(DeadLetters) } },
    )
    .post(
      '/services/:name/dead-letters/:id/retry',
      async ({ request, params: { name, id } }) => {
        const actor = await guard(request, operators)
        return await retryLetter(deps, { service: name, id, actor, requestId: currentRequestId() ?? '' })
      },
      { params: ByLetter, response: { 200: response(DeadLetterRetry) } },
    )
}
