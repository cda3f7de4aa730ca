import {
  createLog,
  createWakes,
  type RunningService,
  reconciling,
  type ServiceDefinition,
  startService,
} from '@bursar/http'
import { migrationsIn } from '@bursar/store'
import { accountReplicas } from './accounts/accounts'
import { accountConsumers } from './accounts/accounts.consumer'
import { createApp } from './app'
import type { Config } from './config'
import type { WalletDeps } from './deps'
import { openDeploymentKeys } from './keys/open-keys'
import { protectMemory } from './keys/protect-memory'
import { createHoldings } from './networks/holdings'
import { createNetworks } from './networks/networks'
import { addOrderGauges, drivingOrders } from './orders/driving'
import { createFates } from './orders/fates'
import { orderConsumers } from './orders/orders.consumer'
import { createRichest } from './orders/richest'
import { createSends } from './orders/sends'
import { waitingOrders } from './restore/held-orders'
import { openRestoreGuard } from './restore/open-restore-guard'
import { createAuthorisations } from './signing/ask-ledger'
import { createNonceGaps } from './signing/nonce-gaps'
import { watching } from './wallets/watching'

/** The folder of the database's migrations. */
export const migrations = migrationsIn(new URL('../migrations', import.meta.url))

/** The parts of the wallet service: migrations, dependencies, app. */
export const definition = (config: Config): ServiceDefinition<WalletDeps> => {
  const clock = () => new Date()
  return {
    migrations,
    deps: async (common) => {
      const { store, client, log } = common
      const holdings = createHoldings(client)
      const keys = await openDeploymentKeys(config, { store, log, clock })
      store.onClose(() => keys.close())
      const restoreGuard = await openRestoreGuard(config.dataDir, { store, log, clock })
      return {
        ...common,
        config,
        keys,
        networks: createNetworks(client),
        holdings,
        richest: createRichest({ read: store.read, holdings }),
        sends: createSends(client),
        authorise: createAuthorisations(client),
        fates: createFates(client, store.read),
        nonceGaps: createNonceGaps(),
        restoreGuard,
        clock,
        wakes: createWakes(common.siblings),
      }
    },
    app: createApp,
    waits: ({ store }) => ({ orders: () => waitingOrders(store.read) }),
    consumers: (deps) => [...accountConsumers(deps.store), ...orderConsumers(deps)],
    workers: (deps) => {
      addOrderGauges(deps)
      return [reconciling(deps, accountReplicas), watching(deps), drivingOrders(deps)]
    },
  }
}

/** Starts the wallet service. The memory of its process is protected before a key comes into it. */
export async function start(config: Config): Promise<RunningService> {
  protectMemory(await createLog({ service: config.name, level: config.logLevel, format: config.logFormat }))
  return await startService(config, definition(config))
}
