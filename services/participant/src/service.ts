import {
  createSeal,
  openServiceKey,
  type RunningService,
  reconciling,
  type ServiceDefinition,
  sealedColumn,
  startService,
} from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import type { ParticipantDeps } from './deps'
import { customerReplicas } from './members/customer-replicas'
import { customerConsumers } from './members/customers.consumer'
import { accountReplicas } from './own-accounts/account-replicas'
import { accountConsumers } from './own-accounts/accounts.consumer'
import { participants } from './participants/participants.table'
import { createSagas, type SagaTuning, sagaWorker, stuckSentence } from './saga-runs/saga-runs'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the participant service: migrations, dependencies, app. `now` is for tests. */
export function definition(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey' | 'authorization'>,
  tuning?: Partial<SagaTuning>,
  now?: () => Date,
): ServiceDefinition<ParticipantDeps> {
  const { authorization } = config
  const apiKeys = createSeal(openServiceKey(config, 'participant.key', 'PARTICIPANT_SECRET_KEY'))
  return {
    migrations,
    now,
    deps: (common) => ({ ...common, apiKeys, authorization, sagas: createSagas(common, tuning) }),
    sealed: () => [sealedColumn(apiKeys, participants, { column: 'sealedKey', owner: ['id'], key: ['id'] })],
    waits: ({ store }) => ({ sagas: () => stuckSentence(store.read) }),
    app: createApp,
    consumers: (deps) => [...customerConsumers(deps.store), ...accountConsumers(deps)],
    workers: (deps) => [
      sagaWorker(deps),
      reconciling(deps, customerReplicas),
      reconciling(deps, accountReplicas(deps.now)),
    ],
  }
}

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
