import {
  type Customer,
  CustomerCreated,
  type CustomerRecord,
  type CustomerState,
  CustomerUpdated,
  type NewCustomer,
  type RecordStatus,
} from '@bursar/contracts/customer'
import type { Actor } from '@bursar/contracts/status-history'
import { byKey, changedRecords, type Db, emit, params, prepared, type Tx, updateBy } from '@bursar/store'
import { fail } from '../errors'
import { customerHistory } from '../history/history'
import { customerTexts } from '../search/customer-texts'
import { customers } from './customers.table'

export type CustomerRow = typeof customers.$inferSelect

/** What the replicas of other services follow. */
export const customerRecords = changedRecords('customer', customers)

/** A customer to be made, and for which participant: null where its caller is none. */
export type CustomerToMake = NewCustomer & { participantId: string | null }

/**
 * Stores a new customer and its event: the participant service makes it that participant's. Fails (409) when its
 * externalId is taken.
 */
export async function createCustomer(
  tx: Tx,
  { externalId, status, participantId }: CustomerToMake,
  now: Date,
): Promise<CustomerRow> {
  const row: CustomerRow = { id: Bun.randomUUIDv7(), externalId, status, createdAt: now, participantId }
  const [stored] = await insertCustomer(tx).execute(row)
  if (!stored) throw fail('CONFLICT', { message: `A customer with externalId ${externalId} already exists` })
  await customerTexts.add(tx, row.id, [externalId])
  await emit(tx, CustomerCreated, await newState(tx, row), now)
  return row
}

/** A status that a customer is to have, who wants it and why. */
export interface CustomerChange {
  id: string
  status: RecordStatus
  reason: string | null
  actor: Actor | null
}

/**
 * Sets the status and notes it in the history; the status that it has already changes nothing. Fails (404) when there is
 * no such customer.
 */
export async function changeCustomer(
  tx: Tx,
  { id, status, reason, actor }: CustomerChange,
  now: Date,
): Promise<CustomerRow> {
  const before = await getCustomer(tx, id)
  if (before.status === status) return before
  const row: CustomerRow = { ...before, status }
  await updateStatus(tx).execute({ id, status })
  const change = { recordId: id, from: before.status, to: status, reason, actor }
  const statusChange = await customerHistory.add(tx, change, now)
  await emit(tx, CustomerUpdated, { ...(await newState(tx, row)), statusChange }, now)
  return row
}

/** Undefined when there is no such customer. */
export async function findCustomer(db: Db, id: string): Promise<CustomerRow | undefined> {
  const [row] = await customerById(db).execute({ id })
  return row
}

/** Fails (404) when there is no such customer. */
export async function getCustomer(db: Db, id: string): Promise<CustomerRow> {
  const row = await findCustomer(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** A customer with its mark. Fails (404) when there is no such customer. */
export async function getCustomerState(db: Db, id: string): Promise<CustomerState> {
  const state = await customerRecords.stateOf(db, id)
  if (!state) throw fail('NOT_FOUND')
  return { customer: toCustomer(state.row), ...madeBy(state.row), ...state.mark }
}

/** Fails (404) when no customer has this external id. */
export async function getCustomerByExternalId(db: Db, externalId: string): Promise<CustomerRow> {
  const [row] = await customerByExternalId(db).execute({ externalId })
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The record as it goes out. */
export const toCustomer = ({ id, externalId, status, createdAt }: CustomerRow): Customer => ({
  id,
  externalId,
  status,
  createdAt: createdAt.toISOString(),
})

/** The record as other services see it. */
export const toRecord = (row: CustomerRow): CustomerRecord => ({ ...toCustomer(row), ...madeBy(row) })

const madeBy = ({ participantId }: CustomerRow) => (participantId === null ? {} : { participantId })

/** Marks a state that was just stored. */
const newState = async (tx: Tx, row: CustomerRow): Promise<CustomerState> => ({
  customer: toCustomer(row),
  ...madeBy(row),
  ...(await customerRecords.mark(tx, row.id)),
})

const insertCustomer = prepared((db) =>
  db.insert(customers).values(params(customers)).onConflictDoNothing().returning({ id: customers.id }),
)
const customerById = byKey(customers, 'id')
const customerByExternalId = byKey(customers, 'externalId')
const updateStatus = updateBy(customers, 'id', ['status'])
