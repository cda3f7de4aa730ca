import { code, integer, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** The tokens whose deposits are published, and whose balances are shown. */
export const tokens = table(
  'tokens',
  {
    network: text().notNull(),
    /** Comparable; '' for the native coin. */
    key: text().notNull(),
    /** Null for the native coin. */
    contractAddress: text(),
    code: code().notNull(),
    decimals: integer().notNull(),
    registeredAt: timestamp().notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.key] })],
)
export type TokenRow = typeof tokens.$inferSelect
