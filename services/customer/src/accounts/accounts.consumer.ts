import { AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { type Listener, listen } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { keepAccount } from './addresses'

/** Keeps up with the account service. Whichever of an account's events comes first tells all that is kept. */
export function accountListeners(store: Store): Listener[] {
  const keep = async (envelope: Envelope<AccountState>) => {
    await receive(store, envelope, (tx) => keepAccount(tx, envelope.data.account))
  }
  return [listen(AccountCreated, keep), listen(AccountUpdated, keep)]
}
