import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn, startRetiring } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import { retainedMessages } from './messages/retention'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the message service: migrations, dependencies, app. */
export const definition = ({ retentionDays: days, archiveDir: folder }: Config): ServiceDefinition => ({
  migrations,
  deps: (common) => common,
  app: createApp,
  workers: ({ store, now }) => startRetiring({ store, now, retained: retainedMessages, days, folder }),
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
