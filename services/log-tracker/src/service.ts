import { type RunningService, type ServiceConfig, startService } from '@bursar/http'
import { createApp } from './app'
import { trackerHealth } from './health'
import { logMessageConsumers } from './log-messages/log-messages.consumer'
import { createLiveStream } from './stream/live-stream'

/** Where the tables come from. */
export const migrations = new URL('../migrations/sqlite', import.meta.url).pathname

/** Starts the log tracker, which hears the events of all services. */
export async function start(config: ServiceConfig): Promise<RunningService> {
  const stream = createLiveStream()
  return await startService(config, {
    migrations,
    app: (deps) => createApp(deps, stream),
    consumers: (deps) => logMessageConsumers(deps, stream),
    // Every service's events end here: more of them share a commit.
    concurrency: 128,
    health: (checks) => trackerHealth(checks, stream),
    beforeStop: () => stream.end(),
  })
}
