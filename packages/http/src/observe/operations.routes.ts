import { DeadLetterRetry, DeadLetters, Operations as Figures, MetricsText } from '@bursar/contracts/operations'
import { t } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import { type Identity, requireService } from '../peers/identity'
import { response } from '../routes/response'
import type { Operations } from './operations'

/** For the gateway, which shows them to operators (contracts/operations.ts). */
export const operationRoutes = (operations: Operations, identity: Identity) =>
  new Elysia({ prefix: '/internal/operations', detail: { hide: true } })
    .get(
      '/',
      async ({ request }) => {
        await requireService(identity, request)
        return await operations.read()
      },
      { response: { 200: response(Figures) } },
    )
    .get(
      '/metrics',
      async ({ request }) => {
        await requireService(identity, request)
        return { text: await operations.metrics() }
      },
      { response: { 200: response(MetricsText) } },
    )
    .get(
      '/dead-letters',
      async ({ request }) => {
        await requireService(identity, request)
        return await operations.deadLetters()
      },
      { response: { 200: response(DeadLetters) } },
    )
    .post(
      '/dead-letters/:id/retry',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await operations.retry(params.id)
      },
      { params: t.Object({ id: t.String({ maxLength: 128 }) }), response: { 200: response(DeadLetterRetry) } },
    )
