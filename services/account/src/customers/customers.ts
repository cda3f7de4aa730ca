import { getCustomer, getCustomerByExternalId } from '@bursar/contracts/customer'
import { CallError, type Client, failedCall } from '@bursar/http'
import { type Db, eq, param, params, prepared, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { customers } from './customers.table'

/** What an account has to know of its customer. */
export interface CustomerIds {
  id: string
  externalId: string
}

/** Remembers that there is such a customer. */
export async function keepCustomer(tx: Tx, { id, externalId }: CustomerIds): Promise<void> {
  await insertCustomer(tx).execute({ id, externalId })
}

/**
 * The customer that an account is to belong to, by either id or both; null when none is given. On a miss the customer
 * service is asked. Fails when there is none (404), the ids are those of two (400), or the service cannot tell.
 */
export async function findCustomer(
  read: Db,
  client: Client,
  { customerId, customerExternalId }: { customerId?: string; customerExternalId?: string },
): Promise<CustomerIds | null> {
  const byId = customerId === undefined ? null : await findById(read, client, customerId)
  if (customerExternalId === undefined || byId?.externalId === customerExternalId) return byId
  const byExternalId = await findByExternalId(read, client, customerExternalId)
  if (byId) {
    throw fail('INVALID_REQUEST', {
      message: 'customerId and customerExternalId are those of two different customers; send one of them',
    })
  }
  return byExternalId
}

async function findById(read: Db, client: Client, id: string): Promise<CustomerIds> {
  const [known] = await customerById(read).execute({ id })
  return known ?? (await asked(client.call(getCustomer, { params: { id } }), `customerId ${id}`))
}

async function findByExternalId(read: Db, client: Client, externalId: string): Promise<CustomerIds> {
  const [known] = await customerByExternalId(read).execute({ externalId })
  if (known) return known
  const by = `customerExternalId ${externalId}`
  return await asked(client.call(getCustomerByExternalId, { params: { externalId } }), by)
}

async function asked(call: Promise<CustomerIds>, by: string): Promise<CustomerIds> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CallError && error.status === 404) throw missing(by, error)
    throw failedCall(error)
  }
}

const missing = (by: string, cause?: unknown) =>
  fail('NOT_FOUND', { message: `There is no customer with ${by}`, cause })

const insertCustomer = prepared((db) => db.insert(customers).values(params(customers)).onConflictDoNothing())
const customerById = prepared((db) =>
  db
    .select()
    .from(customers)
    .where(eq(customers.id, param('id'))),
)
const customerByExternalId = prepared((db) =>
  db
    .select()
    .from(customers)
    .where(eq(customers.externalId, param('externalId'))),
)
