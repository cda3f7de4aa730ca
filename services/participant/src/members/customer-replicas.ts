import { getCustomerState } from '@bursar/contracts/customer'
import type { Client } from '@bursar/http'
import type { Replica, Store } from '@bursar/store'
import { type CustomerRow, customerReplicas as copies } from '../customers/customers'
import { addMember } from './members'

const rows = copies.replica

/**
 * A customer that a participant creates at the customer service becomes its own with the replica, by event or by pull.
 */
const owned: Replica<CustomerRow> = {
  ...rows,
  async upsert(tx, row) {
    await rows.upsert(tx, row)
    if (row.madeFor !== null) await addMember(tx, row.madeFor, row.id)
  },
  async restate(tx, row) {
    await rows.restate(tx, row)
    if (row.madeFor !== null) await addMember(tx, row.madeFor, row.id)
  },
}

/** Stores the replicas of customers. */
export const customerReplicas = { ...copies, replica: owned }

/** Fetches and stores the state of a customer, before the event of its last change arrives. */
export async function learnCustomer({ store, client }: { store: Store; client: Client }, id: string): Promise<void> {
  const { replica, toRow } = customerReplicas
  const { customer, participantId, ...mark } = await client.call(getCustomerState, { params: { id } })
  await store.commit((tx) => replica.upsert(tx, toRow({ ...customer, participantId }, mark)))
}
