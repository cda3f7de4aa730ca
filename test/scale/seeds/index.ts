import type { ServiceName } from '@bursar/contracts/services'
import type { Seed } from '../seed'
import { account } from './account'
import { blockchain } from './blockchain'
import { coreLedger } from './core-ledger'
import { customer } from './customer'
import { gateway } from './gateway'
import { identityManager } from './identity-manager'
import { logTracker } from './log-tracker'
import { mainApi } from './main-api'
import { message } from './message'
import { notification } from './notification'
import { participant } from './participant'
import { quote } from './quote'
import { sanctions } from './sanctions'
import { transactionManager } from './transaction-manager'
import { wallet } from './wallet'
import { webhook } from './webhook'

/** By service: a service without one fails the run. */
export const seeds: Partial<Record<ServiceName, Seed>> = {
  account,
  blockchain,
  'core-ledger': coreLedger,
  customer,
  gateway,
  'identity-manager': identityManager,
  'log-tracker': logTracker,
  'main-api': mainApi,
  message,
  notification,
  participant,
  quote,
  sanctions,
  'transaction-manager': transactionManager,
  wallet,
  webhook,
}
