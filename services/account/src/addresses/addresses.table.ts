import { index, primaryKey, table, text } from '@bursar/store/schema'

/** The addresses of accounts that the wallet service has reported, for the search. */
export const addresses = table(
  'addresses',
  {
    accountId: text().notNull(),
    /** Normalised for comparison. */
    address: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.address] }), index('addresses_address').on(table.address)],
)
