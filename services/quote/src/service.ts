import { type RunningService, startService } from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'
import { createCredentials } from './providers/credentials'
import { credentialKey } from './providers/key-file'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the quote service. It hears no events. */
export async function start(config: Config): Promise<RunningService> {
  const credentials = createCredentials(credentialKey(config))
  return await startService(config, { migrations, app: (deps) => createApp({ ...deps, config, credentials }) })
}
