import { type RunningService, reconciling, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { addressReplicas } from './addresses/address-replicas'
import { addressConsumers } from './addresses/addresses.consumer'
import { createApp } from './app'
import type { Config } from './config'
import { customerReplicas } from './customers/customers'
import { customerConsumers } from './customers/customers.consumer'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the account service: migrations, dependencies, app. */
export const definition = (): ServiceDefinition => ({
  migrations,
  deps: (common) => common,
  app: createApp,
  consumers: ({ store }) => [...customerConsumers(store), ...addressConsumers(store)],
  workers: (deps) => [reconciling(deps, customerReplicas), reconciling(deps, addressReplicas)],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition())
