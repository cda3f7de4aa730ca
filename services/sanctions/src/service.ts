import { sealedHeaders } from '@bursar/contracts/webhook'
import {
  type Deps,
  plainHealth,
  type RunningService,
  type ServiceDefinition,
  sealedColumn,
  startService,
} from '@bursar/http'
import { every, migrationsIn, type Worker } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import type { SanctionsDeps } from './deps'
import { jobs } from './jobs/jobs.table'
import { addJobGauges, runningJobs, unscreenedSentence } from './jobs/run-jobs'
import { pendingTransactions, transactionConsumers } from './ledger/transactions.consumer'
import { watchingForgotten } from './ledger/watch-forgotten'
import { createCurrentList } from './lists/current-list'
import { addListGauges, listHealth } from './lists/list-age'
import { configuredSources } from './sources/sources'
import { retireLists } from './upkeep/retire-lists'
import { ensureList } from './upkeep/shipped-list'
import { addRescreenGauges, rescreening } from './watch/rescreen'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

const retireMs = 60_000

/** The parts of the sanctions service: migrations, dependencies, app. `now` is for tests. */
export function definition(config: Config, now = () => new Date()): ServiceDefinition<SanctionsDeps> {
  const list = createCurrentList()
  let refreshed = async () => list.get()
  return {
    migrations,
    now,
    async deps(common: Deps) {
      await ensureList(common.store, now())
      refreshed = () => list.refresh(common.store)
      await refreshed()
      const deps = { ...common, config, list, sources: configuredSources(config) }
      addListGauges(common.metrics, refreshed, now)
      addJobGauges(deps)
      addRescreenGauges(deps)
      return deps
    },
    sealed: ({ sealFor }) => [
      sealedColumn(sealFor(sealedHeaders), jobs, { column: 'callbackHeaders', owner: ['id'], key: ['id'] }),
    ],
    app: createApp,
    consumers: transactionConsumers,
    workers: (deps): Worker[] => [
      runningJobs(deps),
      rescreening(deps),
      every(retireMs, (store) => retireLists({ ...deps, store }), {
        log: deps.log,
        name: 'Deleting old lists',
        alone: deps.store,
      }),
      watchingForgotten(deps),
      ...(config.screening === 'sanctions' ? [pendingTransactions(deps)] : []),
    ],
    waits: ({ store }) => ({ screenings: () => unscreenedSentence(store.read) }),
    health: (checks, waits) =>
      listHealth(plainHealth(config.name, config.version, checks, waits), list, () => refreshed(), now),
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
