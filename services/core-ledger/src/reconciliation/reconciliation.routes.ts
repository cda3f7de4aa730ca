import { idempotent, operation, response } from '@bursar/http'
import type { Db } from '@bursar/store'
import { Elysia } from 'elysia'
import type { LedgerDeps } from '../deps'
import { fail } from '../errors'
import { firstMissing } from '../movements/reversal-shortfall'
import { causeOf, listShortfalls, type Shortfall } from '../movements/shortfalls'
import { lastRound } from './last-round'
import { type OpenShortfall, ReconciliationReport, toReport } from './reconciliation.model'

/**
 * Not in the specification: the last result of the service's own rounds, on whichever instance, which compare the same as `bun run reconcile`.
 */
export function reconciliationRoutes(deps: LedgerDeps) {
  const once = idempotent(deps)
  return new Elysia({ prefix: '/books/reconciliation', tags: ['Books'] })
    .get('/', () => deps.store.snapshot((db) => reportOf(deps, db)), {
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
          const { failure } = await lastRound(deps.store.read)
          if (failure) throw fail('RECONCILIATION_INCOMPLETE', { message: failure.message })
          return await deps.store.commit(async (tx) => reply(tx, 200, await reportOf(deps, tx)))
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

const reportOf = async ({ reconciliation }: Pick<LedgerDeps, 'reconciliation'>, db: Db) =>
  toReport(await lastRound(db), reconciliation.everyMs, await withDeposits(db, await listShortfalls(db)))

/** Each with the first of the deposits that it is about. */
const withDeposits = (db: Db, open: readonly Shortfall[]): Promise<OpenShortfall[]> =>
  Promise.all(
    open.map(async (row) => {
      const { accountId, assetId } = row
      const isOfDeposits = accountId !== null && causeOf(row) === 'reversal'
      return { ...row, depositId: isOfDeposits ? ((await firstMissing(db, { accountId, assetId })) ?? null) : null }
    }),
  )
