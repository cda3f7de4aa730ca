import { fileURLToPath } from 'node:url'
import {
  createSeal,
  createWakes,
  openSealingKey,
  type RunningService,
  reconciling,
  type ServiceDefinition,
  startService,
} from '@bursar/http'
import { createApp } from './app'
import type { Config } from './config'
import type { MainApiDeps } from './deps'
import { startHanding } from './participants/handing'
import { paymentReplicas } from './payments/payments'
import { paymentConsumers } from './payments/payments.consumer'

/** The folder of the database's migrations. */
export const migrations = fileURLToPath(new URL('../migrations/sqlite', import.meta.url))

/** The parts of the main-api service: migrations, dependencies, app. Tests hold the clock still. */
export function definition(
  config: Config,
  { now = () => new Date() }: { now?: () => Date } = {},
): ServiceDefinition<MainApiDeps> {
  const seal = createSeal(openSealingKey(config.dataDir, 'main-api.key'))
  return {
    migrations,
    deps: (common) => ({ ...common, config, seal, now, wakes: createWakes() }),
    app: createApp,
    consumers: ({ store }) => paymentConsumers(store),
    workers: (deps) => [startHanding(deps), reconciling(deps, paymentReplicas)],
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
