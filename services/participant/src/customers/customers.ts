import type { Customer, CustomerState, RecordStatus } from '@bursar/contracts/customer'
import { and, type Db, eq, param, params, prepared, sql, type Tx } from '@bursar/store'
import { customers } from './customers.table'

export type CustomerRow = typeof customers.$inferSelect

/** Keeps what the customer service said, unless something newer is known. */
export async function keepCustomer(tx: Tx, { customer, version }: CustomerState): Promise<void> {
  const { id, externalId, status, createdAt } = customer
  await upsertCustomer(tx).execute({ id, externalId, status, version, createdAt: new Date(createdAt) })
}

/** The copy of one customer. */
export async function findCustomer(connection: Db, id: string): Promise<CustomerRow | undefined> {
  const [row] = await customerById(connection).execute({ id })
  return row
}

/**
 * Keeps a status that was set before its event is here. Only onto the version that was known before the setting: what
 * came meanwhile is newer, and the event itself brings the version.
 */
export async function keepCustomerStatus(tx: Tx, id: string, version: number, status: RecordStatus): Promise<void> {
  await setStatus(tx).execute({ id, version, status })
}

/** The copy as the customer service would show it. */
export const toCustomer = ({ id, externalId, status, createdAt }: CustomerRow): Customer => ({
  id,
  externalId,
  status,
  createdAt: createdAt.toISOString(),
})

const customerById = prepared((db) =>
  db
    .select()
    .from(customers)
    .where(eq(customers.id, param('id'))),
)
const upsertCustomer = prepared((db) =>
  db
    .insert(customers)
    .values(params(customers))
    .onConflictDoUpdate({
      target: customers.id,
      set: { status: sql`excluded.status`, version: sql`excluded.version` },
      setWhere: sql`excluded.version > ${customers.version}`,
    }),
)
const setStatus = prepared((db) =>
  db
    .update(customers)
    .set({ status: param('status') })
    .where(and(eq(customers.id, param('id')), eq(customers.version, param('version')))),
)
