import { type RunningService, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the transaction-manager service. It hears no events. */
export const start = (config: Config): Promise<RunningService> => startService(config, { migrations, app: createApp })
