import { index, integer, table, text } from '@bursar/store/schema'

/** Replicas of the account service's records: which customer each account belongs to, null where it is no customer's. */
export const accounts = table(
  'accounts',
  {
    id: text().primaryKey(),
    customerId: text(),
    epoch: integer().notNull().default(0),
    version: integer().notNull().default(0),
  },
  (table) => [index('accounts_customer_id').on(table.customerId, table.id)],
)
