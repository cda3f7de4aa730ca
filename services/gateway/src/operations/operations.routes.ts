import { DeadLetterRetry, DeadLetters } from '@bursar/contracts/operations'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { readers } from '../access/rules'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { deadLettersOf, retryLetter } from './dead-letters'
import { ByLetter, ByService, PlatformHealth } from './operations.model'
import { createPlatformOperations } from './service-operations'

/** The health of all services, and their dead letters, for staff. */
export function operationsRoutes(deps: GatewayDeps) {
  const platform = createPlatformOperations(deps.instancesOf, deps.operations.read, () => deps.now().getTime())
  return new Elysia({ prefix: '/console/api', detail: { hide: true } })
    .get(
      '/health',
      async ({ request }) => {
        await requireCounted(deps, request, readers)
        return await platform()
      },
      { response: { 200: response(PlatformHealth) } },
    )
    .get(
      '/services/:name/dead-letters',
      async ({ request, params }) => {
        await requireCounted(deps, request, readers)
        return await deadLettersOf(deps, params.name)
      },
      { params: ByService, response: { 200: response(DeadLetters) } },
    )
    .post(
      '/services/:name/dead-letters/:id/retry',
      ({ request, params: { name, id } }) => retryLetter(deps, request, { service: name, id }),
      { params: ByLetter, response: { 200: response(DeadLetterRetry) } },
    )
}
