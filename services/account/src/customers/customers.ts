import {
  type Customer,
  type CustomerState,
  customerChanges,
  getCustomerByExternalId,
  getCustomerState,
} from '@bursar/contracts/customer'
import type { Deps, Reconciliation } from '@bursar/http'
import { type ChangeMark, desc, eq, param, prepared, replica, rowBy } from '@bursar/store'
import { fail } from '../errors'
import { customers } from './customers.table'

export type CustomerRow = typeof customers.$inferSelect

/** Stores the replicas of customers. */
export const customerReplicas = {
  changes: customerChanges,
  replica: replica('customer', customers),
  toRow: ({ id, externalId }: Customer, { epoch, version }: ChangeMark): CustomerRow => {
    return { id, externalId, epoch, version }
  },
} satisfies Reconciliation<typeof customerChanges.answer, CustomerRow>

type LookUpDeps = Pick<Deps, 'store' | 'client'>

/**
 * The customer of a new account, by either id or both; null when none is given. A customer without a
 * replica is fetched. Fails when there is none (404), the ids are those of two (400), and with a CallError when the
 * customer service cannot answer.
 */
export async function requireCustomer(
  deps: LookUpDeps,
  { customerId, customerExternalId }: { customerId?: string; customerExternalId?: string },
): Promise<CustomerRow | null> {
  const byId = customerId === undefined ? null : await requireById(deps, customerId)
  if (customerExternalId === undefined || byId?.externalId === customerExternalId) return byId
  const byExternalId = await requireByExternalId(deps, customerExternalId)
  if (!byId) return byExternalId
  throw fail('INVALID_REQUEST', {
    message: 'customerId and customerExternalId are those of two different customers; send one of them',
  })
}

async function requireById(deps: LookUpDeps, id: string): Promise<CustomerRow> {
  const known = await customerById(deps.store.read, id)
  if (known) return known
  return await learn(deps, await deps.client.find(getCustomerState, { params: { id } }), `customerId ${id}`)
}

async function requireByExternalId(deps: LookUpDeps, externalId: string): Promise<CustomerRow> {
  const [known] = await customerByExternalId(deps.store.read).execute({ externalId })
  if (known) return known
  const found = await deps.client.find(getCustomerByExternalId, { query: { externalId } })
  return await learn(deps, found, `customerExternalId ${externalId}`)
}

/** Stores the replica of a customer that was fetched. Fails (404) when there is none. */
async function learn({ store }: LookUpDeps, found: CustomerState | null, by: string): Promise<CustomerRow> {
  if (!found) throw fail('NOT_FOUND', { message: `There is no customer with ${by}` })
  const row = customerReplicas.toRow(found.customer, found)
  await store.commit((tx) => customerReplicas.replica.upsert(tx, row))
  return row
}

const customerById = rowBy(customers, 'id')
const customerByExternalId = prepared((db) =>
  db
    .select()
    .from(customers)
    .where(eq(customers.externalId, param('externalId')))
    .orderBy(desc(customers.epoch))
    .limit(1),
)
