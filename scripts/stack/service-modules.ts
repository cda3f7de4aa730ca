import type { ServiceName } from '@bursar/contracts/services'
import type { Environment, RunningService, ServiceConfig } from '@bursar/http'

// By name and not by path: the executable has no paths.

/** The module with each service's settings. */
export const configModules: Record<ServiceName, () => Promise<{ config(env?: Environment): ServiceConfig }>> = {
  quote: () => import('../../services/quote/src/config'),
  'log-tracker': () => import('../../services/log-tracker/src/config'),
  'core-ledger': () => import('../../services/core-ledger/src/config'),
  participant: () => import('../../services/participant/src/config'),
  account: () => import('../../services/account/src/config'),
  customer: () => import('../../services/customer/src/config'),
  message: () => import('../../services/message/src/config'),
  webhook: () => import('../../services/webhook/src/config'),
  wallet: () => import('../../services/wallet/src/config'),
  blockchain: () => import('../../services/blockchain/src/config'),
  sanctions: () => import('../../services/sanctions/src/config'),
  'identity-manager': () => import('../../services/identity-manager/src/config'),
  gateway: () => import('../../services/gateway/src/config'),
  'main-api': () => import('../../services/main-api/src/config'),
  'transaction-manager': () => import('../../services/transaction-manager/src/config'),
  notification: () => import('../../services/notification/src/config'),
}

/** The module that starts each service, by the settings of its config module. */
const startModules: Record<ServiceName, () => Promise<{ start(config: never): Promise<RunningService> }>> = {
  quote: () => import('../../services/quote/src/service'),
  'log-tracker': () => import('../../services/log-tracker/src/service'),
  'core-ledger': () => import('../../services/core-ledger/src/service'),
  participant: () => import('../../services/participant/src/service'),
  account: () => import('../../services/account/src/service'),
  customer: () => import('../../services/customer/src/service'),
  message: () => import('../../services/message/src/service'),
  webhook: () => import('../../services/webhook/src/service'),
  wallet: () => import('../../services/wallet/src/service'),
  blockchain: () => import('../../services/blockchain/src/service'),
  sanctions: () => import('../../services/sanctions/src/service'),
  'identity-manager': () => import('../../services/identity-manager/src/service'),
  gateway: () => import('../../services/gateway/src/service'),
  'main-api': () => import('../../services/main-api/src/service'),
  'transaction-manager': () => import('../../services/transaction-manager/src/service'),
  notification: () => import('../../services/notification/src/service'),
}

/** Starts a service as its own process would: its config.ts reads the environment, its service.ts starts. */
export async function startByName(name: ServiceName): Promise<RunningService> {
  const [{ config }, { start }] = await Promise.all([configModules[name](), startModules[name]()])
  return await start(config() as never)
}
