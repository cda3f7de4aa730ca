import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { keepAccount } from './accounts'

/** Keeps the replica of the account service's accounts up to date. */
export const accountConsumers = (store: Store): Consumer[] =>
  [AccountCreated, AccountUpdated].map((event) => receiving(store, event, keepAccount))
