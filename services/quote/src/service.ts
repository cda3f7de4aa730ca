import { openSealingKey, type RunningService, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'
import { createCredentials } from './providers/credentials'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the quote service. It hears no events. */
export async function start(config: Config): Promise<RunningService> {
  const given = { name: 'QUOTE_SECRET_KEY', value: config.secretKey }
  const credentials = createCredentials(openSealingKey(config.dataDir, 'quote.key', given))
  return await startService(config, { migrations, app: (deps) => createApp({ ...deps, config, credentials }) })
}
