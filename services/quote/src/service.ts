import { openServiceKey, type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import { type Config, leastRetentionDays } from './config'
import { countingWorkers } from './counters/counters'
import type { QuoteDeps } from './deps'
import { createCredentials } from './providers/credentials'
import { createAnswerLog } from './providers/provider-answers'
import { retainedRates } from './rates/retention'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the quote service: migrations, dependencies, app. It consumes no events. */
export const definition = (config: Config): ServiceDefinition<QuoteDeps> => ({
  migrations,
  deps: (common) => ({
    ...common,
    config,
    answers: createAnswerLog(common.now()),
    credentials: createCredentials(openServiceKey(config, 'quote.key', 'QUOTE_SECRET_KEY')),
  }),
  sealed: ({ credentials }) => credentials.places,
  app: createApp,
  workers: ({ store }) => countingWorkers(store),
  retention: () => [
    {
      retained: retainedRates,
      days: config.retentionDays,
      megabytes: config.retentionMegabytes,
      leastDays: leastRetentionDays,
    },
  ],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
