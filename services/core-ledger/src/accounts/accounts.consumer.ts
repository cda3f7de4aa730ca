import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { type Consumer, consumer, type Deps } from '@bursar/http'
import { receive } from '@bursar/store'
import { keepAccount, keepCustomer } from './copies'

/** Keeps this service's copies of accounts and customers; in whatever order events come, the newest state stays. */
export const accountConsumers = ({ store }: Pick<Deps, 'store'>): Consumer[] => {
  const account = (event: typeof AccountCreated) =>
    consumer(event, async (envelope) => {
      await receive(store, envelope, async (tx) => void (await keepAccount(tx, envelope.data)))
    })
  const customer = (event: typeof CustomerCreated) =>
    consumer(event, async (envelope) => {
      await receive(store, envelope, async (tx) => void (await keepCustomer(tx, envelope.data.customer, envelope.data)))
    })
  return [account(AccountCreated), account(AccountUpdated), customer(CustomerCreated), customer(CustomerUpdated)]
}
