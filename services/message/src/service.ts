import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import { retainedMessages } from './messages/retention'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the message service: migrations, dependencies, app. */
export const definition = ({ retentionDays: days, retentionMegabytes: megabytes }: Config): ServiceDefinition => ({
  migrations,
  deps: (common) => common,
  app: createApp,
  retention: () => [{ retained: retainedMessages, days, megabytes }],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
