import { money, primaryKey, table, text } from '@bursar/store/schema'

/** The holdings of an asset by account type, available and frozen together; folded from the journal (fold-sums.ts). */
export const holdings = table(
  'holdings',
  {
    accountType: text().notNull(),
    assetId: text().notNull(),
    network: text().notNull(),
    /** In minor units. */
    amount: money().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountType, table.assetId, table.network] })],
)

export type Held = typeof holdings.$inferSelect
