import { index, integer, primaryKey, table, text } from '@bursar/store/schema'

/** Transactions of this deployment that are no sends here, for a restore took those away: what they cost is not told yet. */
export const untoldFees = table(
  'untold_fees',
  {
    network: text().notNull(),
    txHash: text().notNull(),
    /** What it was signed for. */
    orderId: text().notNull(),
    block: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.txHash] }),
    index('untold_fees_block').on(table.network, table.block),
  ],
)
