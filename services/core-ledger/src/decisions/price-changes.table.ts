import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Who has changed the basis of an asset's value: its price, code, decimals or network. Kept for some days. */
export const priceChanges = table(
  'price_changes',
  {
    number: integer().primaryKey({ autoIncrement: true }),
    userId: text().notNull(),
    /** In lower case; null if it may concern every asset. */
    assetCode: text(),
    at: timestamp().notNull(),
  },
  (table) => [index('price_changes_user').on(table.userId, table.at)],
)
