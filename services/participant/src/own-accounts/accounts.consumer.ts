import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { accountReplicas } from './account-replicas'

/** Keeps the replicas of accounts up to date. */
export const accountConsumers = (store: Store): Consumer[] =>
  [AccountCreated, AccountUpdated].map((event) =>
    receiving(store, event, (tx, state) => accountReplicas.replica.upsert(tx, accountReplicas.toRow(state, state))),
  )
