import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import { type Consumer, type Deps, receiving } from '@bursar/http'
import { accountReplicas } from './account-replicas'

/** Keeps the replicas of accounts up to date. */
export function accountConsumers({ store, now }: Pick<Deps, 'store' | 'now'>): Consumer[] {
  const { replica, toRow } = accountReplicas(now)
  return [AccountCreated, AccountUpdated].map((event) =>
    receiving(store, event, (tx, state) => replica.upsert(tx, toRow(state, state))),
  )
}
