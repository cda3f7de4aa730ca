import { fileURLToPath } from 'node:url'
import { plainHealth, type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { accountConsumers, accountWorkers } from './accounts/accounts.consumer'
import { createApp } from './app'
import { createAuditor } from './bookkeeping/auditor'
import { sealing } from './bookkeeping/seal-journal'
import type { Config } from './config'
import { depositConsumers, depositWorkers } from './deposits/deposits.consumer'
import type { LedgerDeps } from './deps'
import { createExecution, type ExecutionTuning } from './execution/execution'
import { createRecheck } from './execution/recheck'
import { withdrawalConsumers } from './execution/withdrawals.consumer'
import { sanctionsConsumers } from './transactions/sanctions.consumer'

/** Where the tables come from. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** For tests: the clock, and how long the workers wait. */
export interface LedgerTuning extends ExecutionTuning {
  /** Between two rounds of the audit. */
  auditMs: number
}

/** What the service is made of. */
export function definition(config: Config, tuning: Partial<LedgerTuning> = {}): ServiceDefinition<LedgerDeps> {
  const { now = () => new Date(), auditMs } = tuning
  const auditor = createAuditor({ everyMs: auditMs })
  const recheck = createRecheck()
  return {
    migrations,
    deps: (common) => ({ ...common, config, now, execution: createExecution(common, tuning) }),
    app: createApp,
    consumers: (deps) => [
      ...accountConsumers(deps),
      ...withdrawalConsumers(deps),
      ...depositConsumers(deps),
      ...sanctionsConsumers(deps),
    ],
    workers: (deps) => [
      ...accountWorkers(deps),
      ...depositWorkers(deps),
      sealing(deps),
      auditor.start(deps),
      recheck.start(deps),
      deps.execution.start(),
    ],
    health: (checks) =>
      plainHealth(config.name, config.version, { ...checks, audit: auditor.check, withdrawals: recheck.check }),
  }
}

/** Starts the core ledger, and what carries its approved transactions out. */
export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
