import { type RunningService, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'
import { customerConsumers } from './customers/customers.consumer'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the account service. */
export const start = (config: Config): Promise<RunningService> =>
  startService(config, { migrations, app: createApp, consumers: ({ store }) => customerConsumers(store) })
