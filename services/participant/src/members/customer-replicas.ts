import { type CustomerState, getCustomerState } from '@bursar/contracts/customer'
import type { Client } from '@bursar/http'
import { alsoStoring, type Store, type Tx } from '@bursar/store'
import { customerReplicas as copies } from '../customers/customers'
import { addMember } from './members'

/** A customer that a participant creates at the customer service becomes its own with the replica, by event or by pull. */
const owned = alsoStoring(copies.replica, async (tx, { madeFor, id }) => {
  if (madeFor !== null) await addMember(tx, madeFor, id)
})

/** Stores the replicas of customers. */
export const customerReplicas = { ...copies, replica: owned }

/** Stores the state of an event or an answer. */
export const keepCustomer = (tx: Tx, { customer, participantId, ...mark }: CustomerState): Promise<boolean> =>
  owned.upsert(tx, copies.toRow({ ...customer, participantId }, mark))

/** Fetches and stores the state of a customer, before the event of its last change arrives. */
export async function learnCustomer({ store, client }: { store: Store; client: Client }, id: string): Promise<void> {
  const state = await client.call(getCustomerState, { params: { id } })
  await store.commit((tx) => keepCustomer(tx, state))
}
