import { type RunningService, startService } from '@bursar/http'
import { accountConsumers } from './accounts/accounts.consumer'
import { createApp } from './app'
import type { Config } from './config'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the customer service. */
export const start = (config: Config): Promise<RunningService> =>
  startService(config, { migrations, app: createApp, consumers: ({ store }) => accountConsumers(store) })
