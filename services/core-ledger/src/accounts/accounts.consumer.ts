import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { type Deps, type Listener, listen } from '@bursar/http'
import { receive } from '@bursar/store'
import { keepAccount, keepCustomer } from './copies'

/** Keeps this service's copies of accounts and customers; in whatever order events come, the newest state stays. */
export const accountListeners = ({ store }: Pick<Deps, 'store'>): Listener[] => {
  const account = (event: typeof AccountCreated) =>
    listen(event, async (envelope) => {
      await receive(store, envelope, async (tx) => void (await keepAccount(tx, envelope.data)))
    })
  const customer = (event: typeof CustomerCreated) =>
    listen(event, async (envelope) => {
      await receive(store, envelope, async (tx) => void (await keepCustomer(tx, envelope.data.customer, envelope.data)))
    })
  return [account(AccountCreated), account(AccountUpdated), customer(CustomerCreated), customer(CustomerUpdated)]
}
