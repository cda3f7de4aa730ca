import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { keepCustomer } from './customer-replicas'

/** Keep the replicas of customers, and their owners, up to date. */
export const customerConsumers = (store: Store): Consumer[] =>
  [CustomerCreated, CustomerUpdated].map((event) => receiving(store, event, keepCustomer))
