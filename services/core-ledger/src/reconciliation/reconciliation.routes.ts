import { idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { fail } from '../errors'
import { listShortfalls } from '../movements/shortfalls'
import { ReconciliationReport, toReport } from './reconciliation.model'

/**
 * Not in the specification: the last result of the service's own rounds, which compare the same as `bun run reconcile`.
 */
export function reconciliationRoutes(deps: LedgerDeps) {
  const once = idempotent(deps)
  return new Elysia({ prefix: '/books/reconciliation', tags: ['Books'] })
    .get('/', async () => toReport(deps.reconciliation.last(), await listShortfalls(deps.store.read)), {
      response: { 200: response(ReconciliationReport) },
      detail: operation(
        'getReconciliation',
        'Get the last comparison of the ledger with the wallet service and the chains',
      ),
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
        detail: operation('reconcileBooks', 'Compare the ledger with the wallet service and the chains now', {
          description:
            'It moves no money. If an asset was short twice, its withdrawals wait until it is covered. A round under way ' +
            'is joined.',
          503: 'The wallet service or the blockchain service is unavailable',
        }),
      },
    )
}
