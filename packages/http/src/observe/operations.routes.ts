import {
  DeadLetterRetry,
  DeadLetters,
  Operations as Figures,
  KeyStates,
  MetricsText,
} from '@bursar/contracts/operations'
import { t } from '@bursar/contracts/schema'
import type { Identity } from '../peers/identity'
import { internalRoutes } from '../routes/internal-routes'
import { response } from '../routes/response'
import type { Operations } from './operations'

/** For the gateway, which shows them to operators (contracts/operations.ts). */
export const operationRoutes = (operations: Operations, identity: Identity) =>
  internalRoutes(identity, '/internal/operations')
    .get('/', () => operations.read(), { response: { 200: response(Figures) } })
    .get('/metrics', async () => ({ text: await operations.metrics() }), { response: { 200: response(MetricsText) } })
    .get('/keys', () => ({ rings: operations.keys() }), { response: { 200: response(KeyStates) } })
    .get('/dead-letters', () => operations.deadLetters(), { response: { 200: response(DeadLetters) } })
    .post('/dead-letters/:id/retry', ({ params }) => operations.retry(params.id), {
      params: t.Object({ id: t.String({ maxLength: 128 }) }),
      response: { 200: response(DeadLetterRetry) },
    })
