import { type RunningService, type ServiceDefinition, startService } from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { createApp } from './app'
import { createAssetReport } from './assets/asset-report'
import { assetConsumers } from './assets/assets.consumer'
import { followingAssets } from './assets/follow-assets'
import type { Config } from './config'
import type { BlockchainDeps } from './deps'
import { createInnerMethods } from './networks/inner-methods'
import { networkHealth, warnOfSimulated } from './networks/network-health'
import { createNetworks } from './networks/networks'
import { createNodeReport } from './networks/node-report'
import { createScanReport } from './networks/scan-report'
import { startMining } from './networks/simulated/mining'
import { noteRestore } from './restore/after-restore'
import { heldSends } from './sends/open-sends'
import { readRestoredSends } from './sends/restored-sends'
import { startSending } from './sends/sending'
import { findFinalHash } from './sends/sends'
import { createSigning } from './sends/sign'
import { createWalletRecords } from './sends/wallet-records'
import { seedTokens } from './tokens/tokens'
import { startOrdering } from './transactions/ordering'
import { startScanning } from './transfers/scanning'
import { createWakes } from './wakes'
import { wasEverSetBack } from './watching/watch-again'
import { createWatched } from './watching/watched'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the blockchain service: migrations, dependencies, app. */
export const definition = (config: Config): ServiceDefinition<BlockchainDeps> => {
  const report = createNodeReport()
  const clock = () => new Date()
  return {
    migrations,
    async deps(common) {
      await noteRestore(common, config.dataDir, clock())
      return {
        ...common,
        config,
        signing: createSigning(common.client),
        walletRecords: createWalletRecords(common.client),
        restored: await readRestoredSends(common.store.read),
        networks: createNetworks({
          config,
          store: common.store,
          report,
          clock,
          methods: await createInnerMethods(common.store, config.dataDir, await wasEverSetBack(common.store.read)),
          seed: (networks) => seedTokens(common.store, networks, config.tokens, clock()),
          recorded: (network) => (sender, nonce) => findFinalHash(common.store.read, { network, sender, nonce }),
        }),
        scans: createScanReport(),
        assets: createAssetReport(common.log),
        clock,
        watched: createWatched(common.store),
        wakes: createWakes(common.siblings),
      }
    },
    app: createApp,
    consumers: assetConsumers,
    workers: (deps) => {
      warnOfSimulated(deps)
      return [startSending(deps), startScanning(deps), startOrdering(deps), startMining(deps), followingAssets(deps)]
    },
    waits: ({ store, scans }) => ({
      sends: () => heldSends(store.read),
      scans: async () => scans.waits(clock()),
    }),
    health: (checks, waits) => networkHealth(config, report, checks, waits),
  }
}

/** Starts the blockchain service with its workers: sending and watching. */
export const start = (config: Config): Promise<RunningService> => startService(config, definition(config))
