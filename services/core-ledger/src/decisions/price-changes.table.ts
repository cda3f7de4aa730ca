import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Who has changed what an asset's worth is made from: its price, or its code, decimals or network. Kept for some days. */
export const priceChanges = table(
  'price_changes',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    userId: text().notNull(),
    /** In lower case; null when it may concern every asset. */
    assetCode: text(),
    at: timestamp().notNull(),
  },
  (table) => [index('price_changes_user').on(table.userId, table.at)],
)
