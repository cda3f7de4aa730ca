import { index, primaryKey, table, text } from '@bursar/store/schema'

/** Which accounts have which addresses, as far as the wallet service has told; what accounts are searched by. */
export const addresses = table(
  'addresses',
  {
    accountId: text().notNull(),
    /** In the form in which addresses are compared. */
    address: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.address] }), index('addresses_address').on(table.address)],
)
