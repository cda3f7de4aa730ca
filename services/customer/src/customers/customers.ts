import {
  type Customer,
  CustomerCreated,
  CustomerUpdated,
  type NewCustomer,
  type StatusChange,
} from '@bursar/contracts/customer'
import { asc, emit, eq, gt, param, params, prepared, type Store } from '@bursar/store'
import { fail } from '../errors'
import type { CustomerQuery } from './customers.model'
import { customers } from './customers.table'

type Row = typeof customers.$inferSelect

/** Stores a new customer and says so. Fails when its externalId is taken. */
export const createCustomer = (store: Store, input: NewCustomer, now = new Date()): Promise<Customer> =>
  store.commit(async (tx) => {
    const { externalId, status } = input
    const row: Row = { id: Bun.randomUUIDv7(), externalId, status, version: 1, createdAt: now }
    const [stored] = await insertCustomer(tx).execute(row)
    if (!stored) throw fail('CONFLICT', { message: `A customer with externalId ${externalId} already exists` })
    const customer = toCustomer(row)
    await emit(tx, CustomerCreated, { customer, version: row.version }, now)
    return customer
  })

/** Sets the status; the one that it has already changes nothing. Fails when there is no such customer. */
export const changeCustomer = (
  store: Store,
  id: string,
  { status }: StatusChange,
  now = new Date(),
): Promise<Customer> =>
  store.commit(async (tx) => {
    const [before] = await customerById(tx).execute({ id })
    if (!before) throw fail('NOT_FOUND')
    if (before.status === status) return toCustomer(before)
    const row: Row = { ...before, status, version: before.version + 1 }
    await updateStatus(tx).execute({ id, status, version: row.version })
    const customer = toCustomer(row)
    await emit(tx, CustomerUpdated, { customer, version: row.version }, now)
    return customer
  })

/** Fails when there is no such customer. */
export async function getCustomer(store: Store, id: string): Promise<Customer> {
  const [row] = await customerById(store.read).execute({ id })
  if (!row) throw fail('NOT_FOUND')
  return toCustomer(row)
}

/** Fails when no customer has this external id. */
export async function getCustomerByExternalId(store: Store, externalId: string): Promise<Customer> {
  const [row] = await customerByExternalId(store.read).execute({ externalId })
  if (!row) throw fail('NOT_FOUND')
  return toCustomer(row)
}

const chunkSize = 500

/** The customers, oldest first, a chunk at a time. */
export async function* readCustomers(store: Store, { limit, offset = 0 }: CustomerQuery): AsyncGenerator<Customer[]> {
  let left = limit ?? Number.MAX_SAFE_INTEGER
  let after = ''
  let skip = offset
  while (left > 0) {
    const wanted = Math.min(left, chunkSize)
    const rows = await customersAfter(store.read).execute({ after, limit: wanted, skip })
    if (rows.length > 0) yield rows.map(toCustomer)
    if (rows.length < wanted) return
    left -= rows.length
    after = rows.at(-1)?.id ?? ''
    skip = 0
  }
}

const toCustomer = ({ id, externalId, status, createdAt }: Row): Customer => ({
  id,
  externalId,
  status,
  createdAt: createdAt.toISOString(),
})

const insertCustomer = prepared((db) =>
  db.insert(customers).values(params(customers)).onConflictDoNothing().returning({ id: customers.id }),
)
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
const updateStatus = prepared((db) =>
  db
    .update(customers)
    .set({ status: param('status'), version: param('version') })
    .where(eq(customers.id, param('id'))),
)
const customersAfter = prepared((db) =>
  db
    .select()
    .from(customers)
    .where(gt(customers.id, param('after')))
    .orderBy(asc(customers.id))
    .limit(param('limit'))
    .offset(param('skip')),
)
