import { type RunningService, type ServiceDefinition, sealedColumn, startService } from '@bursar/http'
import { every, migrationsIn } from '@bursar/store'
import { followingOthers } from './access/follow'
import { revocationConsumers } from './access/revocations.consumer'
import { createApp } from './app'
import { noteRestore } from './audit-trail/after-restore'
import type { Config } from './config'
import { prepare } from './console/files/current-build'
import { deleteOldSessions } from './console-sessions/console-sessions'
import { consoleSessions } from './console-sessions/console-sessions.table'
import { type GatewayDeps, makeDeps } from './deps'
import { openSharedBuckets } from './limits/redis-buckets'
import { addBackupFigure } from './operations/backup-figure'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** A stream whose credentials have ended goes on for this time. */
const endMs = 2000
const sweepMs = 10 * 60_000

const authorizations = {
  documented: 'every authenticated caller may use every endpoint',
  roles: 'callers may use what the table of routes and roles allows',
}

/** The parts of the gateway: migrations, dependencies, app. */
export const definition = (config: Config): ServiceDefinition<GatewayDeps> => ({
  migrations,
  // Its callers come from outside, and their addresses are checked.
  isCalled: false,
  async deps(common) {
    // Before anything is opened that a failed start would leave open.
    await noteRestore(common, config.dataDir)
    return makeDeps(common, config, openSharedBuckets(config.redisUrl, common.log))
  },
  sealed: ({ sessionSeal }) => [
    sealedColumn(sessionSeal, consoleSessions, { column: 'tokens', owner: ['id'], key: ['id'] }),
  ],
  app(deps) {
    const { authorization } = config
    // Not named `authorization`: the log masks values with that header's name.
    deps.log.info({ mode: authorization }, `AUTHORIZATION=${authorization}: ${authorizations[authorization]}`)
    addBackupFigure(deps.metrics, config)
    return createApp(deps)
  },
  consumers: ({ revocations }) => revocationConsumers(revocations),
  workers: (deps) => [
    deps.trailCheck.start(),
    ...(config.consoleBuild === 'at-start' ? [prepare(deps.consoleBuild)] : []),
    ...followingOthers(deps),
    ...[deps.openStreams, deps.consoleStreams].map((streams) =>
      every(endMs, () => streams.endThoseOfEnded(), {
        log: deps.log,
        name: 'Ending streams whose credentials have ended',
      }),
    ),
    every(sweepMs, (own) => own.commit((tx) => deleteOldSessions(tx, deps.now())), {
      log: deps.log,
      name: 'Deleting expired sessions',
      firstMs: 0,
      alone: deps.store,
    }),
    { stop: () => deps.sharedBuckets.close() },
  ],
})

export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
