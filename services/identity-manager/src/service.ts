import { fileURLToPath } from 'node:url'
import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'
import type { IdentityManagerDeps } from './deps'
import { userConsumers } from './users/users.consumer'

/** The folder of the database's migrations. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** What the identity-manager service is made of. */
export const definition = (config: Config): ServiceDefinition<IdentityManagerDeps> => ({
  migrations,
  deps: (common) => ({ ...common, config }),
  app: createApp,
  consumers: userConsumers,
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
