import { AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { keepAccount } from './addresses'

/** Keeps up with the account service. Whichever of an account's events comes first tells all that is kept. */
export function accountConsumers(store: Store): Consumer[] {
  const keep = async (envelope: Envelope<AccountState>) => {
    await receive(store, envelope, (tx) => keepAccount(tx, envelope.data.account))
  }
  return [consumer(AccountCreated, keep), consumer(AccountUpdated, keep)]
}
