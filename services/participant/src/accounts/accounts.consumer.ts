import { AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { attachAccount } from '../participants/attach-account'
import { keepAccount } from './accounts'

/** Keeps up with the account service, and learns which accounts participants got of their own. */
export function accountConsumers(store: Store): Consumer[] {
  const keep = async (envelope: Envelope<AccountState>) => {
    await receive(store, envelope, async (tx) => {
      await keepAccount(tx, envelope.data)
      const { account, participantId } = envelope.data
      if (participantId !== null) await attachAccount(tx, participantId, account)
    })
  }
  return [consumer(AccountCreated, keep), consumer(AccountUpdated, keep)]
}
