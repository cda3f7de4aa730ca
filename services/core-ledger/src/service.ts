import { plainHealth, type RunningService, startService } from '@bursar/http'
import { accountConsumers } from './accounts/accounts.consumer'
import { createLookup } from './accounts/lookup'
import { createApp } from './app'
import { createAuditor } from './bookkeeping/auditor'
import { startSealer } from './bookkeeping/seal-journal'
import type { Config } from './config'
import { type Execution, startExecution } from './execution/execution'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the core ledger, and what carries its approved transactions out. */
export async function start(config: Config): Promise<RunningService> {
  let execution: Execution | undefined
  const auditor = createAuditor()
  return await startService(config, {
    migrations,
    app: (deps) => {
      startSealer(deps.store, deps.log)
      auditor.start(deps)
      execution = startExecution(deps)
      return createApp({ ...deps, config, lookup: createLookup(deps) })
    },
    consumers: accountConsumers,
    health: (checks) => plainHealth(config.name, config.version, { ...checks, audit: auditor.check }),
    beforeStop: () => execution?.stop(),
  })
}
