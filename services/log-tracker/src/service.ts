import {
  type Checks,
  type Health,
  type RunningService,
  runChecks,
  type ServiceDefinition,
  startService,
  type Waits,
} from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import type { TrackerDeps } from './deps'
import { ledgerHeadConsumers } from './ledger-heads/ledger-heads.consumer'
import { followSiblings, logMessageConsumers, recordingWorkers } from './log-messages/log-messages.consumer'
import { retainedMessages } from './log-messages/retention'
import { createLiveStream, type LiveStream } from './stream/live-stream'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

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
    health: (checks, waits) => trackerHealth(checks, waits, stream, () => new Date()),
    // Streams never end by themselves, and the server would wait for them.
    workers: ({ store, siblings }) => [
      { stop: async () => stream.end() },
      ...recordingWorkers({ store, stream, siblings }),
    ],
    retention: () => [{ retained: retainedMessages, days: config.retentionDays, megabytes: config.retentionMegabytes }],
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))

/**
 * The tracker's own form of GET /health (spec 3): `{status, checks: {database, messageQueue, websocket}, timestamp}`; with
 * `waiting`, and `degraded`, as elsewhere.
 */
function trackerHealth(checks: Checks, waits: Waits, stream: LiveStream, now: () => Date): Health {
  const websocket = async () => {
    if (!stream.isOpen()) throw new Error('The stream has ended')
  }
  return {
    read: () => runChecks({ ...checks, websocket }, waits),
    body: ({ healthy, failures, waiting = [] }) => ({
      status: !healthy ? 'error' : waiting.length > 0 ? 'degraded' : 'ok',
      checks: {
        database: !('database' in failures),
        messageQueue: !('messageQueue' in failures),
        websocket: !('websocket' in failures),
      },
      timestamp: now().toISOString(),
      ...(waiting.length > 0 ? { waiting } : {}),
    }),
  }
}
