import { errorResponses, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { fail } from '../errors'
import { ReconciliationReport, toReport } from './reconciliation.model'

/** Ours: what `bun run reconcile` compares, as the service's own rounds found it last. */
export const reconciliationRoutes = (deps: LedgerDeps) =>
  new Elysia({ prefix: '/books/reconciliation', tags: ['Books'] })
    .get('/', () => toReport(deps.reconciliation.last()), {
      response: { 200: response(ReconciliationReport) },
      detail: {
        operationId: 'getReconciliation',
        summary: 'Get what the last comparison of the ledger with wallet service and chains found',
      },
    })
    .post(
      '/rounds',
      async () => {
        await deps.reconciliation.round(deps)
        const last = deps.reconciliation.last()
        if (last.failure) throw fail('RECONCILIATION_INCOMPLETE', { message: last.failure.message })
        return toReport(last)
      },
      {
        response: { 200: response(ReconciliationReport) },
        detail: {
          operationId: 'reconcileBooks',
          summary: 'Compare the ledger with wallet service and chains now',
          description: 'It only reads. A round that is under way is joined.',
          responses: errorResponses({ 503: 'The wallet or the blockchain service cannot be asked' }),
        },
      },
    )
