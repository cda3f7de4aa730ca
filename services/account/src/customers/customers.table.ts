import { index, integer, table, text } from '@bursar/store/schema'

/** Replicas of the customer service's records: the two ids of each customer, which never change. */
export const customers = table(
  'customers',
  {
    id: text().primaryKey(),
    externalId: text().notNull(),
    epoch: integer().notNull().default(0),
    version: integer().notNull().default(0),
  },
  // Not unique: after a restore of the customer service an external id may belong to another customer.
  (table) => [index('customers_external_id_epoch').on(table.externalId, table.epoch)],
)
