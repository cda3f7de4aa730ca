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
import {
  changedRecords,
  type Db,
  emit,
  insertMissing,
  newId,
  rowBy,
  statusHistory,
  type Tx,
  textIndex,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { customers, searchTexts, statusChanges } from './customers.table'

export type CustomerRow = typeof customers.$inferSelect

/** The change feed that other services' replicas follow. */
export const customerRecords = changedRecords('customer', customers)

/** The history of customers' statuses. */
export const customerHistory = statusHistory<RecordStatus>(statusChanges)

/** The texts by which customers are found. */
export const customerTexts = textIndex(searchTexts)

/** A customer to be created, and its participant: null when the caller is not one. */
type CustomerToMake = NewCustomer & { participantId: string | null }

/**
 * Stores a new customer and its event: the participant service assigns it to the participant. Fails (409) when its
 * externalId is taken.
 */
export async function createCustomer(
  tx: Tx,
  { externalId, status, participantId }: CustomerToMake,
  now: Date,
): Promise<CustomerRow> {
  const row: CustomerRow = { id: newId(), externalId, status, createdAt: now, participantId }
  if ((await insertCustomers(tx, [row])) === 0)
    throw fail('CONFLICT', { message: `A customer with externalId ${externalId} already exists` })
  await customerTexts.add(tx, row.id, [externalId])
  await emit(tx, CustomerCreated, await newState(tx, row), now)
  return row
}

/** A customer's new status, who sets it and why. */
interface CustomerChange {
  id: string
  status: RecordStatus
  reason: string | null
  actor: Actor | null
}

/** Sets the status and records it in the history; setting the current status again changes nothing. */
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

export const findCustomer = rowBy(customers, 'id')

export async function getCustomer(db: Db, id: string): Promise<CustomerRow> {
  const row = await findCustomer(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** A customer with its mark. */
export async function customerState(db: Db, id: string): Promise<CustomerState> {
  const [state] = await customerStates(db, [id])
  if (!state) throw fail('NOT_FOUND')
  return state
}

/** Those of many, in their order; null for one that is not there. */
export async function customerStates(db: Db, ids: readonly string[]): Promise<(CustomerState | null)[]> {
  const states = await customerRecords.statesOf(db, ids)
  return ids.map((id) => {
    const state = states.get(id)
    return state ? { customer: toCustomer(state.row), ...madeBy(state.row), ...state.mark } : null
  })
}

/** Fails (404) when no customer has it. */
export async function getCustomerByExternalId(db: Db, externalId: string): Promise<CustomerRow> {
  const row = await customerByExternalId(db, externalId)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The record as the API returns it. */
export const toCustomer = ({ participantId, createdAt, ...row }: CustomerRow): Customer => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

/** The record as other services get it. */
export const toRecord = (row: CustomerRow): CustomerRecord => ({ ...toCustomer(row), ...madeBy(row) })

const madeBy = ({ participantId }: CustomerRow) => (participantId === null ? {} : { participantId })

/** The state with the mark (epoch and version) of its last change. */
const newState = async (tx: Tx, row: CustomerRow): Promise<CustomerState> => ({
  customer: toCustomer(row),
  ...madeBy(row),
  ...(await customerRecords.mark(tx, row.id)),
})

const insertCustomers = insertMissing(customers)
const customerByExternalId = rowBy(customers, 'externalId')
const updateStatus = updateBy(customers, 'id', ['status'])
