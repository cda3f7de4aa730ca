import { CustomerCreated, type CustomerState, CustomerUpdated } from '@bursar/contracts/customer'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { customerReplicas } from './customers'

/** Keeps the replicas of customers up to date. */
export function customerConsumers(store: Store): Consumer[] {
  const { replica, toRow } = customerReplicas
  const upsert = async (envelope: Envelope<CustomerState>) => {
    await receive(store, envelope, async (tx) => {
      await replica.upsert(tx, toRow(envelope.data.customer, envelope.data))
    })
  }
  return [consumer(CustomerCreated, upsert), consumer(CustomerUpdated, upsert)]
}
