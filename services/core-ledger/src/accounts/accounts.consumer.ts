import { AccountCreated, AccountUpdated, accountChanges } from '@bursar/contracts/account'
import { CustomerCreated, CustomerUpdated, customerChanges } from '@bursar/contracts/customer'
import { type Consumer, consumer, type Deps, reconciling } from '@bursar/http'
import { receive, type Worker } from '@bursar/store'
import { accountReplica, customerReplica, toAccountRow, toCustomerRow, upsertAccount, upsertCustomer } from './accounts'

/** Keep the replicas of accounts and customers; in whatever order events come, the newest state stays. */
export const accountConsumers = ({ store }: Pick<Deps, 'store'>): Consumer[] => {
  const account = (event: typeof AccountCreated) =>
    consumer(event, async (envelope) => {
      await receive(store, envelope, async (tx) => void (await upsertAccount(tx, envelope.data)))
    })
  const customer = (event: typeof CustomerCreated) =>
    consumer(event, async (envelope) => {
      await receive(store, envelope, async (tx) => void (await upsertCustomer(tx, envelope.data)))
    })
  return [account(AccountCreated), account(AccountUpdated), customer(CustomerCreated), customer(CustomerUpdated)]
}

/** Put the replicas right by their owners, at the start and every minute. */
export const accountWorkers = (deps: Pick<Deps, 'store' | 'client' | 'log'>): Worker[] => [
  reconciling(deps, { changes: accountChanges, replica: accountReplica, toRow: toAccountRow }),
  reconciling(deps, { changes: customerChanges, replica: customerReplica, toRow: toCustomerRow }),
]
