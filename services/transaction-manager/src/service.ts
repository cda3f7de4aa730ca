import { fileURLToPath } from 'node:url'
import { type RunningService, reconciling, type ServiceDefinition, startService } from '@bursar/http'
import { createApp } from './app'
import { bankAccountReplicas, pfiReplicas } from './banks/banks'
import { bankConsumers } from './banks/banks.consumer'
import type { Config } from './config'
import type { TransactionManagerDeps } from './deps'

/** The folder of the database's migrations. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** What the transaction manager is made of. */
export const definition = (config: Config): ServiceDefinition<TransactionManagerDeps> => ({
  migrations,
  deps: (common) => ({ ...common, config }),
  app: createApp,
  consumers: ({ store }) => bankConsumers(store),
  workers: (deps) => [reconciling(deps, pfiReplicas), reconciling(deps, bankAccountReplicas)],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
