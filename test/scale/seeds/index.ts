import type { ServiceName } from '@bursar/contracts/services'
import type { Seed } from '../seed'
import { account } from './account'
import { blockchain } from './blockchain'
import { customer } from './customer'
import { identityManager } from './identity-manager'
import { message } from './message'
import { notification } from './notification'
import { participant } from './participant'
import { quote } from './quote'
import { sanctions } from './sanctions'
import { wallet } from './wallet'
import { webhook } from './webhook'

/** By service: a service without one fails the run. */
export const seeds: Partial<Record<ServiceName, Seed>> = {
  account,
  blockchain,
  customer,
  'identity-manager': identityManager,
  message,
  notification,
  participant,
  quote,
  sanctions,
  wallet,
  webhook,
}
