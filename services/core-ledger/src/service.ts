import { fileURLToPath } from 'node:url'
import { plainHealth, type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { accountConsumers, accountWorkers } from './accounts/accounts.consumer'
import { createApp } from './app'
import { createAuditor } from './bookkeeping/auditor'
import { sealing } from './bookkeeping/seal-journal'
import type { Config } from './config'
import type { LedgerDeps } from './deps'
import { createExecution } from './execution/execution'

/** Where the tables come from. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

export function definition(config: Config, now = () => new Date()): ServiceDefinition<LedgerDeps> {
  const auditor = createAuditor()
  return {
    migrations,
    deps: (common) => ({ ...common, config, now, execution: createExecution(common, { now }) }),
    app: createApp,
    consumers: accountConsumers,
    workers: (deps) => [...accountWorkers(deps), sealing(deps), auditor.start(deps), deps.execution.start()],
    health: (checks) => plainHealth(config.name, config.version, { ...checks, audit: auditor.check }),
  }
}

/** Starts the core ledger, and what carries its approved transactions out. */
export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
