import { index, table, text } from '@bursar/store/schema'

/** Which accounts a customer has, as the account service said. An account never changes hands. */
export const accounts = table('accounts', { id: text().primaryKey(), customerId: text().notNull() }, (table) => [
  index('accounts_customer_id').on(table.customerId, table.id),
])
