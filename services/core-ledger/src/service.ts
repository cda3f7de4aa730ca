import { plainHealth, type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { accountConsumers, accountWorkers } from './accounts/accounts.consumer'
import { createApp } from './app'
import { createFourEyes } from './approvals/four-eyes'
import { createUsdRates, highestOfDay } from './assets/usd-rates'
import { createAuditor } from './audit/auditor'
import type { Config } from './config'
import { priceConsumers } from './decisions/price-changes.consumer'
import { depositConsumers, depositWorkers } from './deposits/deposits.consumer'
import type { LedgerDeps } from './deps'
import { sealedRows } from './ledger/sealed-rows'
import { indexing } from './movements/index-keys'
import { sanctionsConsumers } from './movements/sanctions.consumer'
import { listShortfalls, shortfallSentence } from './movements/shortfalls'
import { createKnownNetworks } from './networks/known-networks'
import { movementConsumers, movementWorkers } from './portfolios/movements.consumer'
import { createBooks } from './reconciliation/books'
import { forgottenWorker } from './reconciliation/forgotten-payments'
import { createReconciliation } from './reconciliation/reconciliation'
import { folding } from './reporting/fold-sums'
import { sealing } from './seals/seal-journal'
import { createExecution, type ExecutionTuning } from './withdrawals/execution'
import { createHotAddresses } from './withdrawals/hot-addresses'
import { heldConsumers, heldWorkers } from './withdrawals/institutions.consumer'
import { waitsForOperator } from './withdrawals/keep-held'
import { createRecheck } from './withdrawals/recheck'
import { createRescreening } from './withdrawals/rescreening'
import { rescreeningConsumers, rescreeningWorker } from './withdrawals/rescreening.consumer'
import { withdrawalConsumers } from './withdrawals/withdrawals.consumer'

export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** For tests: the clock, the pauses of the workers, and how long requests wait for rates. */
export interface LedgerTuning extends ExecutionTuning {
  /** Between two rounds of the audit. */
  auditMs: number
  /** Between two checks whether the sealed head must be compared. */
  booksMs: number
  /** Between two reconciliations with wallet and chains. */
  reconcileMs: number
  /** How long a request waits for USD rates. */
  ratePatienceMs: number
}

export function definition(config: Config, tuning: Partial<LedgerTuning> = {}): ServiceDefinition<LedgerDeps> {
  const { now, auditMs, booksMs, reconcileMs, ratePatienceMs: patienceMs } = tuning
  const auditor = createAuditor({ everyMs: auditMs, isProduction: config.environment === 'production' })
  const recheck = createRecheck()
  const reconciliation = createReconciliation({ everyMs: reconcileMs, solvencyGate: config.solvencyGate })
  const hotAddresses = createHotAddresses()
  const books = createBooks({ newBooks: config.newBooks, everyMs: booksMs })
  return {
    migrations,
    now,
    deps: async (common) => {
      await books.compare(common)
      const rates = createUsdRates(common, { patienceMs })
      const fourEyes = createFourEyes(createUsdRates(common, { patienceMs, rate: highestOfDay }), config.fourEyesUsd)
      const networks = createKnownNetworks(common.client, config.environment === 'production')
      const execution = createExecution({ ...common, books }, tuning)
      const rescreening = createRescreening(common.store, common.client)
      return {
        ...common,
        config,
        keptKeys: sealedRows,
        books,
        reconciliation,
        networks,
        execution,
        rates,
        fourEyes,
        rescreening,
        hotAddresses,
      }
    },
    app: createApp,
    consumers: (deps) => [
      ...accountConsumers(deps),
      ...heldConsumers(deps),
      ...withdrawalConsumers(deps),
      ...depositConsumers(deps),
      ...sanctionsConsumers(deps),
      ...rescreeningConsumers(deps),
      ...movementConsumers(deps),
      ...priceConsumers(deps),
    ],
    workers: (deps) => [
      ...accountWorkers(deps),
      ...heldWorkers(deps),
      ...depositWorkers(deps),
      ...movementWorkers(deps),
      forgottenWorker(deps),
      rescreeningWorker(deps),
      sealing(deps),
      indexing(deps),
      folding(deps),
      auditor.start(deps),
      books.start(deps),
      recheck.start(deps),
      reconciliation.start(deps),
      hotAddresses.start(deps),
      deps.execution.start(),
    ],
    waits: ({ store: { read } }) => ({
      books: books.waits,
      withdrawals: recheck.waits,
      reconciliation: () => reconciliation.waits(read),
      shortfalls: async () => shortfallSentence(await listShortfalls(read)),
      institutions: () => waitsForOperator(read),
    }),
    health: (checks, waits) => plainHealth(config.name, config.version, { ...checks, audit: auditor.check }, waits),
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
