import { batchCall } from './batch'
import { readCall, writeCall } from './call'
import { event } from './event'
import { changeMark, changesCall } from './replica'
import { about, oneOf, type Static, t, text, timestamp, uuid } from './schema'
import { statusEntry, statusReason } from './status-history'

/** Of customers and of accounts (spec 3, Customer and Account). `deleted` is a status: the record is still read. */
export const recordStatuses = ['active', 'inactive', 'deleted', 'suspended'] as const
export type RecordStatus = (typeof recordStatuses)[number]

export const recordStatus = () =>
  about(
    'Any status may follow any other; money moves out of active accounts of active customers alone',
    oneOf(recordStatuses),
  )

/** Body of POST /customers. */
export const NewCustomer = t.Object(
  { externalId: text(255), status: recordStatus() },
  {
    title: 'NewCustomer',
    examples: [{ externalId: 'alpine-foods', status: 'active' }],
  },
)
export type NewCustomer = Static<typeof NewCustomer>

/** A customer (spec 3, Customer). */
export const Customer = t.Object(
  {
    id: uuid(),
    externalId: t.String(),
    status: recordStatus(),
    createdAt: timestamp(),
  },
  { title: 'Customer' },
)
export type Customer = Static<typeof Customer>

/** Body of PUT /customers/:id, and of PUT /accounts/:id: any status may follow any other. */
export const StatusChange = t.Object(
  { status: recordStatus(), statusReason: t.Optional(statusReason()) },
  {
    title: 'StatusChange',
    examples: [{ status: 'active', statusReason: 'The review of 9 March found nothing against it' }],
  },
)
export type StatusChange = Static<typeof StatusChange>

/** One entry of GET /customers/:id/history and of GET /accounts/:id/history. */
export const RecordStatusEntry = statusEntry(recordStatus(), 'RecordStatusEntry')

/** The participant that created the customer; left out if staff or another service did. */
const madeBy = { participantId: t.Optional(uuid()) }

/** A customer as its owner stores it. */
const CustomerRecord = t.Object({ ...Customer.properties, ...madeBy })
export type CustomerRecord = Static<typeof CustomerRecord>

/** A customer with its mark. */
const CustomerState = t.Object({ customer: Customer, ...madeBy, ...changeMark })
export type CustomerState = Static<typeof CustomerState>

/** The data of its events; `statusChange` if its status changed. */
const CustomerFact = t.Object({ ...CustomerState.properties, statusChange: t.Optional(RecordStatusEntry) })

export const CustomerCreated = event('customer.customer.created', CustomerFact, {
  consumers: ['account', 'core-ledger', 'participant'],
})
export const CustomerUpdated = event('customer.customer.updated', CustomerFact, {
  consumers: ['account', 'core-ledger', 'participant'],
})

export const createCustomer = writeCall('customer', 'POST', '/v1/customers', NewCustomer, Customer)
export const changeCustomer = writeCall('customer', 'PUT', '/v1/customers/:id', StatusChange, Customer)
export const getCustomer = readCall('customer', 'GET', '/v1/customers/:id', Customer)
/** For other services only: the customer of an external id with its mark, 404 when there is none. Query: `externalId`. */
export const getCustomerByExternalId = readCall('customer', 'GET', '/internal/customers/by-external-id', CustomerState)
/** For other services only: a customer with its mark, for a replica that lacks it; 404 when there is none. */
export const getCustomerState = readCall('customer', 'GET', '/internal/customers/:id', CustomerState)
/** The same for many. */
export const getCustomerStates = batchCall('customer', '/internal/customers/states', uuid(), CustomerState)
/** For other services only: the customers that changed. */
export const customerChanges = changesCall('customer', '/internal/customers/changes', CustomerRecord)
