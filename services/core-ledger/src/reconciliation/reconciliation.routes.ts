import { errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { fail } from '../errors'
import { listShortfalls } from '../movements/shortfalls'
import { ReconciliationReport, toReport } from './reconciliation.model'

/** Ours: what `bun run reconcile` compares, as the service's own rounds found it last. */
export function reconciliationRoutes(deps: LedgerDeps) {
  const once = idempotent(deps)
  return new Elysia({ prefix: '/books/reconciliation', tags: ['Books'] })
    .get('/', async () => toReport(deps.reconciliation.last(), await listShortfalls(deps.store.read)), {
      response: { 200: response(ReconciliationReport) },
      detail: {
        operationId: 'getReconciliation',
        summary: 'Get what the last comparison of the ledger with wallet service and chains found',
      },
    })
    .post(
      '/rounds',
      ({ request, set }) =>
        once({ request, set }, async (reply) => {
          await deps.reconciliation.round(deps)
          const last = deps.reconciliation.last()
          if (last.failure) throw fail('RECONCILIATION_INCOMPLETE', { message: last.failure.message })
          return await deps.store.commit(async (tx) => reply(tx, 200, toReport(last, await listShortfalls(tx))))
        }),
      {
        response: { 200: response(ReconciliationReport) },
        detail: {
          operationId: 'reconcileBooks',
          summary: 'Compare the ledger with wallet service and chains now',
          description:
            'It moves nothing; what was too little twice holds withdrawals up until it is there. A round that is under way ' +
            'is joined.',
          responses: errorResponses({ 503: 'The wallet or the blockchain service cannot be asked' }),
        },
      },
    )
}
