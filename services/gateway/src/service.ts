import { fileURLToPath } from 'node:url'
import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'
import type { GatewayDeps } from './deps'
import { sampleConsumers } from './samples/samples.consumer'

/** The folder of the database's migrations. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** What the gateway service is made of. */
export const definition = (config: Config): ServiceDefinition<GatewayDeps> => ({
  migrations,
  deps: (common) => ({ ...common, config }),
  app: createApp,
  consumers: sampleConsumers,
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
