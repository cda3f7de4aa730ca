import { table, text, uniqueIndex } from '@bursar/store/schema'

/** The customers that there are, as the customer service said. Neither id ever changes. */
export const customers = table('customers', { id: text().primaryKey(), externalId: text().notNull() }, (table) => [
  uniqueIndex('customers_external_id').on(table.externalId),
])
