import { fileURLToPath } from 'node:url'
import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'

/** Where the tables come from. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** What the message service is made of. */
export const definition = (): ServiceDefinition => ({ migrations, deps: (common) => common, app: createApp })

/** Starts the message service. */
export const start = (config: Config): Promise<RunningService> => startService(config, definition())
