import type { RecordStatus } from '@bursar/contracts/customer'
import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Replicas of the customer service's records. */
export const customers = table(
  'customers',
  {
    id: text().primaryKey(),
    externalId: text().notNull(),
    status: text().$type<RecordStatus>().notNull(),
    createdAt: timestamp().notNull(),
    /** The participant that created it at the customer service; null for all others. */
    madeFor: text(),
    epoch: integer().notNull().default(0),
    version: integer().notNull(),
  },
  (table) => [index('customers_external_id').on(table.externalId)],
)
