import { type Customer, type CustomerRecord, customerChanges } from '@bursar/contracts/customer'
import type { Reconciliation } from '@bursar/http'
import { type ChangeMark, replica } from '@bursar/store'
import { customers } from './customers.table'

export type CustomerRow = typeof customers.$inferSelect

/** Stores the replicas of customers. */
export const customerReplicas = {
  changes: customerChanges,
  replica: replica('customer', customers),
  toRow: ({ participantId, ...customer }: CustomerRecord, { epoch, version }: ChangeMark): CustomerRow => ({
    ...customer,
    createdAt: new Date(customer.createdAt),
    madeFor: participantId ?? null,
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof customerChanges.answer, CustomerRow>

/** The record as the customer service returns it. */
export const toCustomer = ({ id, externalId, status, createdAt }: CustomerRow): Customer => ({
  id,
  externalId,
  status,
  createdAt: createdAt.toISOString(),
})
