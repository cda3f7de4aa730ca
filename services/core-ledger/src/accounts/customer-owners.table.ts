import { integer, table, text } from '@bursar/store/schema'

/** The replica of the participant service's records of customers' owners. */
export const customerOwners = table('customer_owners', {
  /** The customer's. */
  id: text().primaryKey(),
  participantId: text().notNull(),
  epoch: integer().notNull().default(0),
  version: integer().notNull(),
})
