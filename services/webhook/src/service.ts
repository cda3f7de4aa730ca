import { sealedHeaders } from '@bursar/contracts/webhook'
import {
  createSeal,
  createWakes,
  openServiceKey,
  type RunningService,
  type ServiceDefinition,
  sealedAnswers,
  sealedColumn,
  startService,
} from '@bursar/http'
import { createOutbound } from '@bursar/http/outbound'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import { deliveryConsumers } from './deliveries/deliveries.consumer'
import { deliveries } from './deliveries/deliveries.table'
import { retainedFailures, retainedSuccesses } from './deliveries/retention'
import type { WebhookDeps } from './deps'
import { endpoints } from './endpoints/endpoints.table'
import { endedConsumers, endedWorkers } from './institutions/institutions.consumer'
import { startDelivering } from './sending/delivering'
import { addSendingGauges } from './sending/gauges'
import { createSchedule } from './targets/schedule'
import { createTargetQueue } from './targets/targets'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** What the webhook service is made of. Tests hold the clock still. */
export const definition = (config: Config, { now }: { now?: () => Date } = {}): ServiceDefinition<WebhookDeps> => {
  const schedule = createSchedule(config.retryDelaysMs)
  return {
    migrations,
    now,
    deps: (common) => ({
      ...common,
      config,
      outbound: createOutbound({ allow: [...config.outboundAllow] }),
      secrets: createSeal(openServiceKey(config, 'webhook.key', 'WEBHOOK_SECRET_KEY')),
      schedule,
      queue: createTargetQueue(config, schedule),
      wakes: createWakes(common.siblings),
    }),
    sealed: ({ secrets, sealFor }) => [
      sealedColumn(secrets, endpoints, { column: 'secret', owner: ['id'], key: ['id'] }),
      sealedColumn(secrets, endpoints, { column: 'previousSecret', owner: ['id'], key: ['id'] }),
      sealedAnswers(secrets),
      sealedColumn(sealFor(sealedHeaders), deliveries, { column: 'headers', owner: ['requestId'], key: ['id'] }),
    ],
    app: createApp,
    consumers: (deps) => [...deliveryConsumers(deps), ...endedConsumers(deps)],
    workers: (deps) => {
      addSendingGauges(deps)
      return [startDelivering(deps), ...endedWorkers(deps)]
    },
    retention: () => [
      { retained: retainedSuccesses, days: config.retentionDays, megabytes: config.retentionMegabytes },
      { retained: retainedFailures, days: config.failedRetentionDays, megabytes: config.retentionMegabytes },
    ],
  }
}

/** Starts the webhook service with its sender. */
export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
