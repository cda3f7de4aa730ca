import { fileURLToPath } from 'node:url'
import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { startRetiring } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import type { TrackerDeps } from './deps'
import { trackerHealth } from './health'
import { ledgerHeadConsumers } from './ledger-heads/ledger-heads.consumer'
import { followSiblings, logMessageConsumers } from './log-messages/log-messages.consumer'
import { retainedMessages } from './log-messages/retention'
import { createLiveStream } from './stream/live-stream'

/** The folder of the database's migrations. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** The parts of the log tracker: migrations, dependencies, app. It consumes the events of all services. */
export const definition = (config: Config): ServiceDefinition<TrackerDeps> => {
  const stream = createLiveStream({ mostPerAddress: config.streamsPerAddress })
  return {
    migrations,
    deps: (common) => ({ ...common, stream }),
    app: createApp,
    consumers(deps) {
      followSiblings(deps)
      return [...ledgerHeadConsumers(deps), ...logMessageConsumers(deps)]
    },
    // The events of all services arrive here: more of them share a commit.
    concurrency: 128,
    health: (checks) => trackerHealth(checks, stream, () => new Date()),
    // Streams never end by themselves, and the server would wait for them.
    workers: ({ store, now }) => [
      { stop: async () => stream.end() },
      ...startRetiring({
        store,
        now,
        retained: retainedMessages,
        days: config.retentionDays,
        folder: config.archiveDir,
      }),
    ],
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
