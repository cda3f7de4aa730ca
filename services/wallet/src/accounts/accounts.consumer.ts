import { AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { keepAccount } from './accounts'

/** Keeps the replica of the account service's accounts up to date. */
export function accountConsumers(store: Store): Consumer[] {
  const keep = async (envelope: Envelope<AccountState>) => {
    await receive(store, envelope, async (tx) => void (await keepAccount(tx, envelope.data)))
  }
  return [consumer(AccountCreated, keep), consumer(AccountUpdated, keep)]
}
