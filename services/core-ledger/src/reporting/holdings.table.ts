import { money, primaryKey, table, text } from '@bursar/store/schema'

/** What the accounts of a type hold of an asset, available and frozen together; it follows the journal (fold.ts). */
export const holdings = table(
  'holdings',
  {
    accountType: text().notNull(),
    assetId: text().notNull(),
    network: text().notNull(),
    /** In the asset's smallest unit. */
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountType, table.assetId, table.network] })],
)

export type Held = typeof holdings.$inferSelect
