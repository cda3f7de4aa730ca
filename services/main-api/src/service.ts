import {
  createSeal,
  createWakes,
  openServiceKey,
  type RunningService,
  reconciling,
  type ServiceDefinition,
  sealedAnswers,
  sealedColumn,
  startService,
} from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { placeOf } from './aml/aml-checks'
import { amlChecks } from './aml/aml-checks.table'
import { createApp } from './app'
import type { Config } from './config'
import type { MainApiDeps } from './deps'
import { apiKeys } from './participants/api-keys.table'
import { startHanding } from './participants/handing'
import { paymentReplicas } from './payments/payments'
import { paymentConsumers } from './payments/payments.consumer'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** What the main-api service is made of. Tests hold the clock still. */
export function definition(config: Config, { now }: { now?: () => Date } = {}): ServiceDefinition<MainApiDeps> {
  const seal = createSeal(openServiceKey(config, 'main-api.key', 'MAIN_SECRET_KEY'))
  return {
    migrations,
    now,
    deps: (common) => ({ ...common, config, seal, wakes: createWakes(common.siblings) }),
    sealed: () => [
      sealedColumn(seal, apiKeys, { column: 'sealedKey', owner: ['id'], key: ['id'] }),
      sealedColumn(seal, amlChecks, { column: 'sealedCustomer', owner: ['id'], key: ['id'], aadOf: placeOf }),
      sealedAnswers(seal),
    ],
    app: createApp,
    consumers: ({ store }) => paymentConsumers(store),
    workers: (deps) => [startHanding(deps), reconciling(deps, paymentReplicas)],
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
