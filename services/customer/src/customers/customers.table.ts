import type { RecordStatus } from '@bursar/contracts/customer'
import { index, searchTextsTable, statusChangesTable, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/**
 * Customers (spec 3, Customer). No customer is ever removed: `deleted` is a status. Ids are UUID v7: they sort by age.
 */
export const customers = table(
  'customers',
  {
    id: text().primaryKey(),
    externalId: text().notNull(),
    status: text().$type<RecordStatus>().notNull(),
    createdAt: timestamp().notNull(),
    /** The participant that created it; null when staff or another service did. */
    participantId: text(),
  },
  (table) => [
    uniqueIndex('customers_external_id').on(table.externalId),
    index('customers_status').on(table.status, table.id),
  ],
)

/** Each change of a customer's status. */
export const statusChanges = statusChangesTable()

/** External ids of customers. */
export const searchTexts = searchTextsTable()
