import {
  institutionWorkers,
  type RunningService,
  type ServiceDefinition,
  sealedAnswers,
  sealedColumn,
  startService,
} from '@bursar/http'
import { every, migrationsIn } from '@bursar/store'
import { createApp } from './app'
import type { Config } from './config'
import { type IdentityManagerDeps, makeDeps } from './deps'
import { institutions } from './institutions/institutions'
import { endedConsumers } from './institutions/institutions.consumer'
import { ensureKeys } from './keys/rotation'
import { signingKeys } from './keys/signing-keys.table'
import { createMailTransport } from './mail/mail-transport'
import { mails } from './mail/mails.table'
import { startSending, unsentSentence } from './mail/sending'
import { answerResetRequests } from './passwords/forgotten'
import type { PasswordHasher } from './passwords/hashing'
import { providerLogIns } from './provider-accounts/single-sign-on.table'
import { authenticators } from './second-factor/second-factor.table'
import { endSessionsOfBackup } from './sessions/after-restore'
import { endSessionsOfEnded } from './sessions/of-ended-institutions'
import { startSweeping } from './sweep'
import { ensureFirstAdministrator, type ShowPassword, showPassword } from './users/first-administrator'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The clock, password hasher and terminal that tests replace. */
interface Replaced {
  now?: () => Date
  hasher?: PasswordHasher
  show?: ShowPassword
  pause?: (ms: number) => Promise<unknown>
}

/** The parts of the identity manager: migrations, dependencies, app. */
export const definition = (
  config: Config,
  { now, hasher, show = showPassword, pause = Bun.sleep }: Replaced = {},
): ServiceDefinition<IdentityManagerDeps> => ({
  migrations,
  now,
  deps: async (common) => {
    const deps = makeDeps(common, config, { hasher, pause })
    await ensureKeys(deps)
    await endSessionsOfBackup(deps)
    await ensureFirstAdministrator(deps, show)
    return deps
  },
  sealed: ({ seal }) => [
    sealedColumn(seal, signingKeys, { column: 'privateKey', owner: ['kid'], key: ['kid'] }),
    sealedColumn(seal, mails, { column: 'body', owner: ['id'], key: ['id'] }),
    sealedColumn(seal, authenticators, { column: 'secret', owner: ['userId'], key: ['userId'] }),
    sealedColumn(seal, providerLogIns, { column: 'checks', owner: ['hash'], key: ['hash'] }),
    sealedAnswers(seal),
  ],
  app: createApp,
  waits: ({ store }) => ({ mails: () => unsentSentence(store.read) }),
  consumers: ({ store }) => endedConsumers(store),
  workers: (deps) => [
    ...institutionWorkers(deps, institutions),
    every(1000, (store) => endSessionsOfEnded({ ...deps, store }), {
      log: deps.log,
      name: 'Ending sessions of ended institutions',
      alone: deps.store,
    }),
    startSending(deps, createMailTransport(config)),
    every(1000, (store) => answerResetRequests({ ...deps, store }), {
      log: deps.log,
      name: 'Answering forgotten passwords',
      alone: deps.store,
    }),
    startSweeping(deps),
  ],
})

/** Starts the identity manager with its workers: mails, key rotation and clean-up. */
export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
