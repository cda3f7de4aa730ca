import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { every, migrationsIn } from '@bursar/store'
import { createApp } from './app'
import { bankConsumers, bankWorkers } from './banks/banks.consumer'
import type { Config } from './config'
import { foldCounts } from './payments/fold-counts'

const foldEveryMs = 250

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the transaction manager: migrations, dependencies, app. */
export const definition = (): ServiceDefinition => ({
  migrations,
  deps: (common) => common,
  app: createApp,
  consumers: ({ store }) => bankConsumers(store),
  workers: (deps) => [
    ...bankWorkers(deps),
    every(foldEveryMs, foldCounts, { log: deps.log, name: 'Counting payments', alone: deps.store }),
  ],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition())
