import { index, integer, table, text, timestamp } from '@bursar/store/schema'

/**
 * What each asset was from a time on: rows are added with each change, and a trigger refuses to change or delete one.
 * The newest of an asset says what it is; they are sealed with the journal.
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
