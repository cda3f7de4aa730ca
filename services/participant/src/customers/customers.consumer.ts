import { CustomerCreated, type CustomerState, CustomerUpdated } from '@bursar/contracts/customer'
import type { Envelope } from '@bursar/contracts/event'
import { type Consumer, consumer } from '@bursar/http'
import { receive, type Store } from '@bursar/store'
import { keepCustomer } from './customers'

/** Keeps up with the customer service. */
export function customerConsumers(store: Store): Consumer[] {
  const keep = async (envelope: Envelope<CustomerState>) => {
    await receive(store, envelope, (tx) => keepCustomer(tx, envelope.data))
  }
  return [consumer(CustomerCreated, keep), consumer(CustomerUpdated, keep)]
}
