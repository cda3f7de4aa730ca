import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/**
 * The history of each asset's terms: rows are added with each change, and a trigger refuses to change or delete one.
 * The newest row of an asset is its present state; the rows are sealed with the journal.
 */
export const assetTerms = table(
  'asset_terms',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    assetId: text().notNull(),
    code: text().notNull(),
    decimals: integer().notNull(),
    network: text().notNull(),
    contractAddress: text(),
    deletedAt: timestamp(),
    at: timestamp().notNull(),
  },
  (table) => [index('asset_terms_asset').on(table.assetId, table.seq)],
)
