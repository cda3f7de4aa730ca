import { type Customer, type CustomerRecord, customerChanges } from '@bursar/contracts/customer'
import type { Reconciliation } from '@bursar/http'
import { type ChangeMark, replica } from '@bursar/store'
import { customers } from './customers.table'

export type CustomerRow = typeof customers.$inferSelect

/** Stores the replicas of customers. */
export const customerReplicas = {
  changes: customerChanges,
  replica: replica('customer', customers),
  toRow: (
    { id, externalId, status, createdAt, participantId }: CustomerRecord,
    { epoch, version }: ChangeMark,
  ): CustomerRow => ({
    id,
    externalId,
    status,
    createdAt: new Date(createdAt),
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
