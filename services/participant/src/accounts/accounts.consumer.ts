import { AccountCreated, type AccountState, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { accountReplicas } from './account-replicas'

/** Keeps the replicas of accounts up to date. */
export function accountConsumers(store: Store): Consumer[] {
  const { replica, toRow } = accountReplicas
  const upsert = async (envelope: Envelope<AccountState>) => {
    await receive(store, envelope, async (tx) => {
      await replica.upsert(tx, toRow(envelope.data, envelope.data))
    })
  }
  return [consumer(AccountCreated, upsert), consumer(AccountUpdated, upsert)]
}
