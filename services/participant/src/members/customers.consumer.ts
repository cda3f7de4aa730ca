import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { customerReplicas } from './customers'

/** Keeps the replicas of customers up to date. */
export const customerConsumers = (store: Store): Consumer[] =>
  [CustomerCreated, CustomerUpdated].map((event) =>
    receiving(store, event, (tx, state) => {
      const { replica, toRow } = customerReplicas
      return replica.upsert(tx, toRow(state.customer, state))
    }),
  )
