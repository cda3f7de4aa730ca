import type { RecordStatus } from '@bursar/contracts/customer'
import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Copies of all customers, as the customer service said; the highest version wins. */
export const customers = table(
  'customers',
  {
    id: text().primaryKey(),
    externalId: text().notNull(),
    status: text().$type<RecordStatus>().notNull(),
    version: integer().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('customers_external_id').on(table.externalId)],
)
