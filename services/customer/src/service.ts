import { type RunningService, reconciling, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { accountReplicas } from './accounts/accounts'
import { accountConsumers } from './accounts/accounts.consumer'
import { createApp } from './app'
import type { Config } from './config'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the customer service: migrations, dependencies, app. */
export const definition = (): ServiceDefinition => ({
  migrations,
  deps: (common) => common,
  app: createApp,
  consumers: ({ store }) => accountConsumers(store),
  workers: (deps) => [reconciling(deps, accountReplicas)],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition())
