import { AccountCreated, AccountUpdated, accountChanges } from '@bursar/contracts/account'
import { CustomerCreated, CustomerUpdated, customerChanges } from '@bursar/contracts/customer'
import { CustomerOwned, customerOwnerChanges } from '@bursar/contracts/participant'
import { type Consumer, type Deps, receiving, reconciling } from '@bursar/http'
import type { Worker } from '@bursar/store'
import {
  accountReplica,
  customerReplica,
  ownerReplica,
  toAccountRow,
  toCustomerRow,
  toOwnerRow,
  upsertAccount,
  upsertCustomer,
  upsertOwner,
} from './accounts'

/** Keep the replicas of accounts, customers and their owners; the newest state wins in any order of events. */
export const accountConsumers = ({ store }: Pick<Deps, 'store'>): Consumer[] => [
  receiving(store, AccountCreated, upsertAccount),
  receiving(store, AccountUpdated, upsertAccount),
  receiving(store, CustomerCreated, upsertCustomer),
  receiving(store, CustomerUpdated, upsertCustomer),
  receiving(store, CustomerOwned, upsertOwner),
]

/** Reconcile the replicas with their owners, at the start and every minute. */
export const accountWorkers = (deps: Pick<Deps, 'store' | 'client' | 'log'>): Worker[] => [
  reconciling(deps, { changes: accountChanges, replica: accountReplica, toRow: toAccountRow }),
  reconciling(deps, { changes: customerChanges, replica: customerReplica, toRow: toCustomerRow }),
  reconciling(deps, { changes: customerOwnerChanges, replica: ownerReplica, toRow: toOwnerRow }),
]
