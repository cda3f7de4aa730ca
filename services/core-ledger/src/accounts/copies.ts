import type { AccountState } from '@bursar/contracts/account'
import type { Customer } from '@bursar/contracts/customer'
import { type Db, eq, lt, param, params, prepared, type Tx } from '@bursar/store'
import { accounts } from './accounts.table'
import { customers } from './customers.table'

type Version = { version: number }

/** Keeps an account unless a newer state of it is here. */
export const keepAccount = (tx: Tx, { account, participantId, version }: AccountState): Promise<unknown> =>
  putAccount(tx).execute({
    id: account.id,
    customerId: account.customerId,
    type: account.type,
    status: account.status,
    participantId,
    version,
  })

/** Keeps a customer unless a newer state of it is here. Version 0 is for one that was asked for. */
export const keepCustomer = (tx: Tx, { id, status }: Customer, { version }: Version): Promise<unknown> =>
  putCustomer(tx).execute({ id, status, version })

/** The account as it is known here; undefined when it is not. */
export async function knownAccount(connection: Db, id: string) {
  const [row] = await accountById(connection).execute({ id })
  return row
}

/** True when the customer is known here. */
export async function isCustomerKnown(connection: Db, id: string): Promise<boolean> {
  const rows = await customerById(connection).execute({ id })
  return rows.length > 0
}

const accountById = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(eq(accounts.id, param('id'))),
)
const customerById = prepared((db) =>
  db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.id, param('id'))),
)
const putAccount = prepared((db) =>
  db
    .insert(accounts)
    .values(params(accounts))
    .onConflictDoUpdate({
      target: accounts.id,
      set: {
        customerId: param('customerId'),
        type: param('type'),
        status: param('status'),
        participantId: param('participantId'),
        version: param('version'),
      },
      setWhere: lt(accounts.version, param('version')),
    }),
)
const putCustomer = prepared((db) =>
  db
    .insert(customers)
    .values(params(customers))
    .onConflictDoUpdate({
      target: customers.id,
      set: { status: param('status'), version: param('version') },
      setWhere: lt(customers.version, param('version')),
    }),
)
