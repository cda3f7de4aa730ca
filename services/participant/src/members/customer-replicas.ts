import { getCustomerState } from '@bursar/contracts/customer'
import type { Client } from '@bursar/http'
import { alsoStoring, type Store } from '@bursar/store'
import { customerReplicas as copies } from '../customers/customers'
import { addMember } from './members'

/** A customer that a participant creates at the customer service becomes its own with the replica, by event or by pull. */
const owned = alsoStoring(copies.replica, async (tx, { madeFor, id }) => {
  if (madeFor !== null) await addMember(tx, madeFor, id)
})

/** Stores the replicas of customers. */
export const customerReplicas = { ...copies, replica: owned }

/** Fetches and stores the state of a customer, before the event of its last change arrives. */
export async function learnCustomer({ store, client }: { store: Store; client: Client }, id: string): Promise<void> {
  const { replica, toRow } = customerReplicas
  const { customer, participantId, ...mark } = await client.call(getCustomerState, { params: { id } })
  await store.commit((tx) => replica.upsert(tx, toRow({ ...customer, participantId }, mark)))
}
