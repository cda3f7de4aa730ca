import { openSealingKey, type RunningService, startService } from '@bursar/http'
import { accountConsumers } from './accounts/accounts.consumer'
import { createApiKeys } from './api-keys/api-keys'
import { createApp } from './app'
import type { Config } from './config'
import { customerConsumers } from './customers/customers.consumer'
import { startSagas } from './sagas/sagas'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the participant service, and goes on with what an earlier run of it left half done. */
export async function start(config: Config): Promise<RunningService> {
  const apiKeys = createApiKeys(openSealingKey(config.dataDir, 'participant.key'))
  return await startService(config, {
    migrations,
    app: (deps) => createApp({ ...deps, apiKeys, sagas: startSagas(deps) }),
    consumers: ({ store }) => [...customerConsumers(store), ...accountConsumers(store)],
  })
}
