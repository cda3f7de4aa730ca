import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import type { NotificationDeps } from './deps'
import { eventConsumers } from './events/events.consumer'
import { eventRecording } from './events/record-events'
import { retainedEvents } from './events/retention'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the notification service: migrations, dependencies, app. Tests pass a fixed clock. */
export const definition = (
  config: Config,
  { now }: { now?: () => Date } = {},
): ServiceDefinition<NotificationDeps> => ({
  migrations,
  now,
  deps: (common) => ({ ...common, recording: eventRecording(common.now) }),
  app: createApp,
  consumers: eventConsumers,
  workers: ({ store, recording, siblings }) => recording.workers(store, { siblings }),
  retention: () => [{ retained: retainedEvents, days: config.retentionDays, megabytes: config.retentionMegabytes }],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
