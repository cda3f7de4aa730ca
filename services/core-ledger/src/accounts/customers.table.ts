import { integer, table, text } from '@bursar/store/schema'

/** The replica of the customer service's customers. */
export const customers = table('customers', {
  id: text().primaryKey(),
  /** active, inactive, deleted or suspended. */
  status: text().notNull(),
  epoch: integer().notNull().default(0),
  version: integer().notNull(),
})
